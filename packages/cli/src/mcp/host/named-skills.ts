import type { Skills } from "@skillwright/core";
import type { Console, GlobalOptions } from "../../console.ts";
import { openSessionRegistry, type Session } from "@skillwright/app/internal";
import { addMcpSkills, openMcpSessionRegistry } from "./mcp-session-skills.ts";
import { noteServers } from "./note-servers.ts";

/**
 * Skills among which this name means what it means among all, those of the user's servers too. A
 * server is only started where that can make a difference.
 */
export async function openNamedRegistry(
  session: Session,
  name: string,
  options: GlobalOptions,
  console: Console,
): Promise<Skills> {
  const inFolders = await openSessionRegistry(session, options, console);
  if (isSettled(inFolders, name)) return inFolders;
  const skills = await openMcpSessionRegistry(session, options, console, serverIn(name));
  noteServers(skills.diagnostics(), console);
  return skills;
}

/** The same for who reads them. */
export async function openNamedSkills(
  session: Session,
  name: string,
  options: GlobalOptions,
  console: Console,
): Promise<Skills> {
  // Not loaded for a list of names.
  const { openSessionSkills } = await import("@skillwright/app/internal");
  const skills = await openSessionSkills(session, options, console);
  if (isSettled(skills, name)) return skills;
  const found = { session, skills };
  const more = { label: serverIn(name), isForModel: false };
  return (await addMcpSkills(found, options, console, more)).skills;
}

/**
 * A skill in a folder comes before all of servers, unless it is not trusted: then one that is takes
 * its name. Who names the source means that one.
 */
function isSettled(skills: Skills, name: string): boolean {
  const found = skills.get(name);
  return found !== undefined && (found.trusted || name.includes("@"));
}

/** The server that `pdf@mcp:docs` names. */
function serverIn(name: string): string | undefined {
  return /@mcp:([^@]+)$/i.exec(name)?.[1];
}
