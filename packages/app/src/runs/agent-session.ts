import { createFileStore } from "@skillwright/agent";
import { type FileStore, MAX_TEXT } from "@skillwright/agent/internal";
import { openSkills, type Skills } from "@skillwright/core";
import { createRedactor } from "@skillwright/runtime";
import { addMcpSkills } from "../mcp/mcp-session-skills.ts";
import { openSessionSkills } from "../session/skills.ts";
import { openSession, type Session, type SessionPlace } from "../session/session.ts";
import { requireTrust } from "../session/require-trust.ts";
import { namedTools } from "../runtime/session-approver.ts";
import type { AgentOptions } from "../options.ts";
import type { AppHost } from "../host.ts";

/** What a run needs, with the question of trust settled first. */
export async function openAgentSession(
  options: AgentOptions,
  host: AppHost,
): Promise<{ readonly session: Session; readonly skills: Skills }> {
  // Wrong usage is said before anything is opened, also where nothing would be asked.
  namedTools(options);
  const opened = await openSession(options, host);
  // Without skills there is nothing to trust.
  if (options.skills === false) return { session: opened, skills: await noSkills(opened, host) };
  const found = await openSessionSkills(opened, options, host);
  // Trust in the folder is not trust in a server.
  return addMcpSkills(await requireTrust(opened, found, options, host), options, host);
}

/** The runs of this project. */
export function openRunStore({ project, stateDirectory }: SessionPlace, host: AppHost): FileStore {
  const redactor = createRedactor({ env: host.env, maxStringLength: MAX_TEXT });
  return createFileStore({ root: project, stateDirectory, redactor });
}

/** For a baseline: what the model does by itself, under the same policy. */
async function noSkills(session: Session, host: AppHost): Promise<Skills> {
  const { skillTools, security, workspace } = session.configuration.values;
  return openSkills({
    roots: [],
    configuration: { skillTools, security, workspace },
    env: host.env,
  });
}
