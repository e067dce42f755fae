import type { Implementation, Server } from "@modelcontextprotocol/server";
import { SKILLS_EXTENSION_ID } from "@modelcontextprotocol/server/ext/skills";
import { clientSession } from "./client-session.ts";
import { addPromptMethods } from "./methods/prompt-methods.ts";
import { addResourceMethods } from "./methods/resource-methods.ts";
import { addSkillMethods } from "./methods/skill-methods.ts";
import { addToolMethods } from "./methods/tool-methods.ts";
import type { ServerParts } from "./server-parts.ts";
import { TrackedServer } from "./tracked-server.ts";

export interface ConnectionOptions {
  readonly parts: ServerParts;
  readonly info: Implementation;
  /** What a client is told at its start, as it is at that moment. */
  readonly instructions: () => string;
  /** Takes note of what the user decided meanwhile. */
  readonly renew: () => Promise<void>;
  /** All that are connected. */
  readonly servers: Set<TrackedServer>;
}

/** A server for one connection, with all methods. */
export function openConnection(
  { parts, info, instructions, renew, servers }: ConnectionOptions,
  era: "legacy" | "modern" = "legacy",
): Server {
  const capabilities = {
    logging: {},
    prompts: { listChanged: true },
    resources: { listChanged: true },
    tools: { listChanged: true },
    extensions: { [SKILLS_EXTENSION_ID]: { directoryRead: true } },
  };
  const server = new TrackedServer(info, { instructions: instructions(), capabilities }, servers);
  const session = clientSession(server, { isModern: era === "modern", parts, renew });
  addSkillMethods(server, parts, session);
  addResourceMethods(server, parts, session);
  addPromptMethods(server, parts, session);
  addToolMethods(server, parts, session);
  const { logger } = parts;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has only this
  server.onerror = (error) => logger?.debug("protocol error", { error: error.message });
  return server;
}
