import type { Logger, ScriptExecutor, Skills, Conversation } from "@skillwright/core";
import type { Audit, Gate } from "@skillwright/runtime";
import type { ServerContext } from "@modelcontextprotocol/server";
import type { ClientApprover } from "./approval/client-approver.ts";
import type { HidePaths } from "./path-hider.ts";
import type { PublishedSkills } from "./published/published-skills.ts";
import type { ScriptPlaces } from "./script-places.ts";

/** Items of one page of a list. */
export const PAGE_SIZE = 100;

/** What all connections share. */
export interface ServerParts {
  readonly skills: Skills;
  readonly published: PublishedSkills;
  readonly gate?: Gate | undefined;
  readonly audit?: Audit | undefined;
  readonly executor?: ScriptExecutor | undefined;
  readonly approver?: ClientApprover | undefined;
  /** The folder that calls are made in, for policy. */
  readonly cwd: string;
  readonly pageSize: number;
  readonly logger?: Logger | undefined;
  readonly hidePaths: HidePaths;
  readonly scripts: ScriptPlaces;
  /** Tells every client that lists have changed. */
  readonly announce: () => void;
}

/** What one connection, or in the stateless protocol one request, has of its own. */
export interface ClientSession {
  /** Whether it speaks 2026-07-28: results then say how long they may be kept. */
  readonly isModern: boolean;
  /** Which skills a person called here, although models do not see them. */
  readonly view: Conversation;
  /** Those that the extension cannot say, for clients that read all others by it. */
  readonly restView: Conversation;
  /** Who is at the other end, as it says. */
  readonly client: (context: ServerContext) => string | undefined;
  /** Whether the client reads skills itself, by the extension. */
  readonly readsSkills: (context: ServerContext) => boolean;
  readonly canElicit: (context: ServerContext) => boolean;
  /** Answers a request of a client that has said who it is; no error tells more than it should. */
  readonly answer: <Result>(
    method: string,
    context: ServerContext,
    work: () => Promise<Result>,
  ) => Promise<Result>;
}

/** Nothing is promised for longer than the moment, and to nobody else. */
export function cacheFields({ isModern }: ClientSession) {
  return isModern ? ({ ttlMs: 0, cacheScope: "private" } as const) : {};
}
