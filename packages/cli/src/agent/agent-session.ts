import { createFileStore } from "@skillwright/agent";
import { type FileStore, MAX_TEXT } from "@skillwright/agent/internal";
import { openSkills, type Skills } from "@skillwright/core";
import { createRedactor } from "@skillwright/runtime";
import type { Console } from "../console.ts";
import { addMcpSkills } from "../mcp/host/mcp-session-skills.ts";
import {
  openSessionSkills,
  openSession,
  type Session,
  type SessionPlace,
} from "@skillwright/app/internal";
import { requireTrust } from "../skills/trust/require-trust.ts";
import { namedTools } from "../runtime/session-approver.ts";
import type { AgentOptions } from "./run-options.ts";

/** What a run needs, with the question of trust settled first. */
export async function openAgentSession(
  options: AgentOptions,
  console: Console,
): Promise<{ readonly session: Session; readonly skills: Skills }> {
  // Wrong usage is said before anything is opened, also where nothing would be asked.
  namedTools(options);
  const opened = await openSession(options, console);
  // Without skills there is nothing to trust.
  if (options.skills === false) return { session: opened, skills: await noSkills(opened, console) };
  const found = await openSessionSkills(opened, options, console);
  // Trust in the folder is not trust in a server.
  return addMcpSkills(await requireTrust(opened, found, options, console), options, console);
}

/** The runs of this project. */
export function openRunStore(
  { project, stateDirectory }: SessionPlace,
  console: Console,
): FileStore {
  const redactor = createRedactor({ env: console.env, maxStringLength: MAX_TEXT });
  return createFileStore({ root: project, stateDirectory, redactor });
}

/** For a baseline: what the model does by itself, under the same policy. */
async function noSkills(session: Session, console: Console): Promise<Skills> {
  const { skillTools, security, workspace } = session.configuration.values;
  return openSkills({
    roots: [],
    configuration: { skillTools, security, workspace },
    env: console.env,
  });
}
