import {
  defaultSources,
  type Diagnostic,
  type Logger,
  openSkills,
  type SkillRecord,
  type Skills,
} from "@skillwright/core";
import { type RegistryOptions, truncate, visibleLine } from "@skillwright/core/internal";
import type { McpHost } from "@skillwright/mcp";
import { join } from "node:path";
import { AppFailure } from "../failure.ts";
import type { AppHost, PlaceOptions } from "../host.ts";
import { openSessionRegistry, registryOptions } from "../session/registry.ts";
import type { Session } from "../session/session.ts";

/** About servers, not about skills in folders: no linter would show it. */
export function isAboutServer({ code }: Diagnostic): boolean {
  return code.startsWith("mcp-");
}

/** Which servers did not answer, and what of them cannot be used. */
export function noteServers(diagnostics: readonly Diagnostic[], host: AppHost): void {
  if (host.quiet) return;
  for (const { message } of diagnostics.filter(isAboutServer)) {
    host.note(visibleLine(`warning: ${message}`));
  }
}

type Servers = Session["configuration"]["values"]["mcpServers"];

/** Set for every server that we start: one that is this program itself must not start its own. */
const INSIDE = "SKILLWRIGHT_INSIDE_MCP";

/** One for each set of servers and caller, so that a command that looks twice starts them once. */
const openedBy = new WeakMap<AppHost, Map<string, Promise<McpHost>>>();

/**
 * The servers of the user's configuration; undefined where there are none, or where the command line
 * names the only places to look. Nothing is started before something is asked for. With a label,
 * only that server.
 */
async function openSessionHost(
  { configuration, cacheDirectory, home }: Session,
  { root, source }: PlaceOptions,
  host: AppHost,
  label?: string,
): Promise<McpHost | undefined> {
  const mcpServers = ofLabel(configuration.values.mcpServers, label);
  if (root !== undefined || source !== undefined || host.env[INSIDE] !== undefined)
    return undefined;
  if (Object.keys(mcpServers).length === 0) return undefined;
  const opened = openedBy.get(host) ?? new Map<string, Promise<McpHost>>();
  openedBy.set(host, opened);
  const key = JSON.stringify([mcpServers, cacheDirectory, home]);
  const known = opened.get(key);
  if (known !== undefined) return known;
  const created = createHost(mcpServers, host, cacheDirectory);
  opened.set(key, created);
  return created;
}

/** Names are compared without regard to case, as those of skills are. */
function ofLabel(servers: Servers, label: string | undefined): Servers {
  if (label === undefined) return servers;
  const wanted = label.toLowerCase();
  const found = Object.entries(servers).filter(([one]) => one.toLowerCase() === wanted);
  return Object.fromEntries(found);
}

/** A host of its own, for who ends it. */
export async function createHost(
  mcpServers: Servers,
  { env, version }: Pick<AppHost, "env" | "version">,
  cacheDirectory: string,
): Promise<McpHost> {
  const { McpHost: Host } = await import("@skillwright/mcp");
  const servers = Object.entries(mcpServers).map(([label, server]) => {
    const isProgram = server.command !== undefined;
    return [label, isProgram ? { ...server, env: { ...server.env, [INSIDE]: "1" } } : server];
  });
  return new Host({
    servers: Object.fromEntries(servers) as typeof mcpServers,
    env,
    cacheDirectory: join(cacheDirectory, "mcp"),
    version,
  });
}

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

interface AddedSkills {
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

/** Ends the servers that were opened for this caller. */
export async function closeServers(owner: AppHost): Promise<void> {
  const servers = [...(openedBy.get(owner)?.values() ?? [])];
  openedBy.delete(owner);
  await Promise.all(servers.map(async (one) => (await one).close()));
}

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

/** The SKILL.md of a server's skill, if it is what the server lists; otherwise the command ends. */
export async function requireVerified(skill: SkillRecord, skills: Skills): Promise<string> {
  const host = mcpHostOf(skills);
  // A record of a server is only there with its host.
  if (host === undefined) throw new TypeError(`${skill.id} has no server`);
  const verified = await host.verify(skill);
  if (verified.ok) return verified.text;
  const { code, message, hint } = verified;
  const name = `${skill.name}@${skill.source}`;
  const what = code === "skill-unverified" ? "is not what its server lists" : "cannot be read";
  throw new AppFailure("no", `${name} ${what}: ${message}`, {
    code,
    ...(hint !== undefined && { hint }),
  });
}

const MAX_FIELDS = 500;

/** Goes to stderr: stdout may be the protocol's. */
export function noteLogger(host: AppHost): Logger {
  const note =
    (level: string): Logger["warn"] =>
    (message, fields = {}) => {
      const why = Object.keys(fields).length === 0 ? "" : ` ${JSON.stringify(fields)}`;
      host.note(visibleLine(`${level}: ${message}${truncate(why, MAX_FIELDS)}`));
    };
  const verbose = host.verbose ? note("note") : () => undefined;
  return { debug: verbose, info: verbose, warn: note("warning"), error: note("error") };
}
