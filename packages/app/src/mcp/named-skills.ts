import type { Skills } from "@skillwright/core";
import { openSessionRegistry } from "../session/registry.ts";
import type { Session } from "../session/session.ts";
import { addMcpSkills, openMcpSessionRegistry } from "./mcp-session-skills.ts";
import { noteServers } from "./note-servers.ts";
import type { AppHost, PlaceOptions } from "../host.ts";

/**
 * Skills among which this name means what it means among all, those of the user's servers too. A
 * server is only started where that can make a difference.
 */
export async function openNamedRegistry(
  session: Session,
  name: string,
  options: PlaceOptions,
  host: AppHost,
): Promise<Skills> {
  const inFolders = await openSessionRegistry(session, options, host);
  if (isSettled(inFolders, name)) return inFolders;
  const skills = await openMcpSessionRegistry(session, options, host, serverIn(name));
  noteServers(skills.diagnostics(), host);
  return skills;
}

/** The same for who reads them. */
export async function openNamedSkills(
  session: Session,
  name: string,
  options: PlaceOptions,
  host: AppHost,
): Promise<Skills> {
  // Not loaded for a list of names.
  const { openSessionSkills } = await import("../session/skills.ts");
  const skills = await openSessionSkills(session, options, host);
  if (isSettled(skills, name)) return skills;
  const found = { session, skills };
  const more = { label: serverIn(name), isForModel: false };
  return (await addMcpSkills(found, options, host, more)).skills;
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
