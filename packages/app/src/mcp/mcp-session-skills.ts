import { defaultSources, openSkills, type Skills } from "@skillwright/core";
import { type RegistryOptions, visibleLine } from "@skillwright/core/internal";
import type { McpHost } from "@skillwright/mcp";
import { registryOptions } from "../session/registry.ts";
import type { Session } from "../session/session.ts";
import { noteServers } from "./note-servers.ts";
import { forgetHost, openSessionHost } from "./session-host.ts";
import type { AppHost, PlaceOptions } from "../host.ts";

const MAX_NAMES = 12;

/** Who gave skills to a list of them. */
const hosts = new WeakMap<Skills, McpHost>();

/** The servers whose skills are among these. */
export function mcpHostOf(skills: Skills): McpHost | undefined {
  return hosts.get(skills);
}

/** Before the label of a server in the name of a source. */
export function isFromMcp({ source }: { readonly source: string }): boolean {
  return source.startsWith("mcp:");
}

interface OpenedSkills {
  readonly session: Session;
  readonly skills: Skills;
}

export interface AddedSkills {
  /** Only of this server. */
  readonly label?: string | undefined;
  /** Whether it is said what a model does not get because it is not trusted. Default: yes. */
  readonly isForModel?: boolean;
}

/** These skills, and behind them those of the user's servers. */
export async function addMcpSkills(
  opened: OpenedSkills,
  options: PlaceOptions,
  host: AppHost,
  { label, isForModel = true }: AddedSkills = {},
): Promise<OpenedSkills> {
  const { session } = opened;
  const servers = await openSessionHost(session, options, host, label);
  if (servers === undefined) return opened;
  const change = (given: RegistryOptions) => withMcpSkills(given, servers, session);
  // Not loaded for a list of names.
  const { openSessionSkills } = await import("../session/skills.ts");
  const skills = await openSessionSkills(session, options, host, change);
  hosts.set(skills, servers);
  noteServers(skills.diagnostics(), host);
  if (isForModel) noteUntrusted(skills, host);
  return { session, skills };
}

/** The same for who only wants to know which there are; with a label, of one server. */
export async function openMcpSessionRegistry(
  session: Session,
  options: PlaceOptions,
  host: AppHost,
  label?: string,
): Promise<Skills> {
  const servers = await openSessionHost(session, options, host, label);
  const given = await registryOptions(session, options, host);
  if (servers === undefined) return openSkills(given);
  const skills = await openSkills(withMcpSkills(given, servers, session));
  hosts.set(skills, servers);
  return skills;
}

/**
 * Servers come last: a skill in a folder is the one that its name means. A server's skills are
 * trusted because the user trusts the server, or exactly these files; the project has no say in it.
 */
function withMcpSkills(given: RegistryOptions, host: McpHost, { trust }: Session): RegistryOptions {
  const { cwd = process.cwd(), isTrusted = () => true } = given;
  return {
    ...given,
    roots: [...(given.roots ?? defaultSources({ ...given, cwd })), host.source],
    isTrusted: (skill, onlyFor) =>
      isFromMcp(skill)
        ? host.isTrusted(skill) || trust.digests.has(skill.stamp ?? "")
        : isTrusted(skill, onlyFor),
  };
}

/** Which skills are there but not offered. */
function noteUntrusted(skills: Skills, host: AppHost): void {
  const untrusted = skills.all.filter((skill) => isFromMcp(skill) && !skill.trusted);
  if (untrusted.length === 0 || host.quiet) return;
  const names = untrusted.slice(0, MAX_NAMES).map(({ name, source }) => `${name}@${source}`);
  const more = untrusted.length > names.length ? " and more" : "";
  host.note(visibleLine(`Left out, not trusted: ${names.join(", ")}${more}.`));
  host.note(
    `To use them, after a look: skillwright trust ${names[0]}, or "trust": true for their server in mcpServers.`,
  );
}

/** Ends the servers that gave skills to these. */
export async function closeHost(skills: Skills): Promise<void> {
  const host = mcpHostOf(skills);
  if (host === undefined) return;
  await forgetHost(host);
  await host.close();
}
