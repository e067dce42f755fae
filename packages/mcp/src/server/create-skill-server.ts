import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { homedir } from "node:os";
import type { Server, Transport } from "@modelcontextprotocol/server";
import type { Logger, ScriptExecutor, Skills } from "@skillwright/core";
import type { Audit, Gate } from "@skillwright/runtime";
import type { ClientApprover } from "./approval/client-approver.ts";
import { clientAudit } from "./client-record.ts";
import { pathHider } from "./path-hider.ts";
import { PublishedSkills } from "./published/published-skills.ts";
import { renewal } from "./renewal.ts";
import { ScriptPlaces } from "./script-places.ts";
import { serverInstructions } from "./server-instructions.ts";
import { PAGE_SIZE, type ServerParts } from "./server-parts.ts";
import type { TrackedServer } from "./tracked-server.ts";

export interface SkillServerOptions {
  readonly skills: Skills;
  readonly version: string;
  /** What clients call it. Default: "skillwright". */
  readonly name?: string;
  /** Reads and calls pass here. Without one, all that a model may see may be read. */
  readonly gate?: Gate;
  /** What is read and loaded goes here. Default: the gate's. */
  readonly audit?: Audit;
  /** Without one, no script is offered. */
  readonly executor?: ScriptExecutor;
  /** The same that the executor's gate asks: it puts questions to the client that calls. */
  readonly approver?: ClientApprover;
  /** The folder that calls are made in. Default: that of the process. */
  readonly cwd?: string;
  /** The user's home, which clients do not hear of. Default: that of the process. */
  readonly home?: string;
  /** Items of one page of a list. Default: 100. */
  readonly pageSize?: number;
  readonly logger?: Logger;
  /**
   * Asked before every answer whether the user's decisions about skills are others than at the last
   * look: the skills are then looked at again, and clients told. Has to be cheap.
   */
  readonly haveDecisionsChanged?: () => Promise<boolean>;
}

export interface SkillServer {
  /** A server for one connection. It speaks the protocol of sessions, unless the era is `modern`. */
  open(era?: "legacy" | "modern"): Promise<Server>;
  /** Serves one connection until the transport closes. */
  connect(transport: Transport): Promise<void>;
  /** Looks at all skills before the first client asks, and from now on tells clients of changes. */
  watch(): Promise<void>;
  /** Is called whenever lists have changed; returns how to stop. */
  onChange(listener: () => void): () => void;
  /** Ends all connections. The skills stay open. */
  close(): Promise<void>;
}

/** Clients that ask nothing hear of a decision within this time. */
const LOOK_MILLISECONDS = 1000;

/** The skills of a registry for clients of the Model Context Protocol, under its policy and on record. */
const OPTIONS: OptionKinds<SkillServerOptions> = {
  skills: "object",
  version: "string",
  name: "string",
  gate: "object",
  audit: "object",
  executor: "object",
  approver: "object",
  cwd: "string",
  home: "string",
  pageSize: "number",
  logger: "object",
  haveDecisionsChanged: "function",
};

export function createSkillServer(options: SkillServerOptions): SkillServer {
  checkOptions("createSkillServer", options, OPTIONS, ["skills", "version"]);
  const { skills, name = "skillwright", version, gate, logger } = options;
  const servers = new Set<TrackedServer>();
  const listeners = new Set<() => void>();
  const published = new PublishedSkills(skills, ({ record, problem = "", entry }) => {
    const how = entry === undefined ? "it is offered through tools only" : "";
    logger?.warn(`the skill ${record.name}: ${[problem, how].filter(Boolean).join("; ")}`);
  });
  const announce = () => {
    for (const server of servers) server.tellOfChange();
    for (const listener of listeners) listener();
  };
  const renew = renewal(options.haveDecisionsChanged, async () => {
    await skills.refresh();
    announce();
  });
  const { cwd = process.cwd(), home = homedir() } = options;
  const audit = options.audit ?? gate?.audit;
  const parts: ServerParts = {
    skills,
    published,
    gate,
    audit: audit && clientAudit(audit),
    executor: options.executor,
    approver: options.approver,
    cwd,
    scripts: new ScriptPlaces(),
    hidePaths: pathHider({ home, cwd, skills }),
    pageSize: options.pageSize ?? PAGE_SIZE,
    logger,
    announce,
  };
  const instructions = serverInstructions(parts);
  const noteFailure = (error: unknown) => {
    logger?.error("decisions about skills cannot be read again", { error: String(error) });
  };
  let timer: NodeJS.Timeout | undefined;
  const stopListening = skills.onChange((change) => {
    published.noteChange(change);
    announce();
  });

  const connection = { parts, info: { name, version }, instructions, renew, servers };
  const open: SkillServer["open"] = async (era) => {
    const { openConnection } = await import("./open-connection.ts");
    return openConnection(connection, era);
  };

  return {
    open,
    async connect(transport) {
      await renew();
      const server = await open();
      await server.connect(transport);
    },
    async watch() {
      if (options.haveDecisionsChanged !== undefined) {
        timer ??= setInterval(() => void renew().catch(noteFailure), LOOK_MILLISECONDS).unref();
      }
      await skills.watch();
      await published.current();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      clearInterval(timer);
      stopListening();
      published.close();
      await Promise.all(Array.from(servers, (server) => server.close()));
    },
  };
}
