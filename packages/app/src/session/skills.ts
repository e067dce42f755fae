import { openSkills, type SkillRecord, type Skills } from "@skillwright/core";
import {
  diskSearchStore,
  plural,
  quoteLine,
  type RegistryOptions,
  type TrustStore,
  visibleLine,
} from "@skillwright/core/internal";
import { realpathSync } from "node:fs";
import { sep } from "node:path";
import { AppFailure } from "../failure.ts";
import type { AppHost, PlaceOptions, TrustQuestion } from "../host.ts";
import { registryOptions } from "./registry.ts";
import { isTrustManaged, type Session, type SessionOptions, trustedSession } from "./session.ts";

/** Reading fewer takes no time that a person would notice. */
const FIRST_SHOWN = 200;

/** The skills as this command line sees them, for commands that disclose them. */
export async function openSessionSkills(
  session: Session,
  options: PlaceOptions,
  host: AppHost,
  change: (options: RegistryOptions) => RegistryOptions = (given) => given,
): Promise<Skills> {
  const progress = (done: number, total: number) => {
    if (total < FIRST_SHOWN) return;
    const doing = done < total ? `reading skills … ${done} of ${total}` : "building the index …";
    host.progress?.(doing);
  };
  const { cacheDirectory, configuration } = session;
  const { skillTools, security, workspace } = configuration.values;
  return openSkills({
    ...change(await registryOptions(session, options, host)),
    configuration: { skillTools, security, workspace },
    env: host.env,
    ...(options.holdsOutExamples === true && { examples: false }),
    ...(skillTools.cacheSkills
      ? { searchStore: { ...diskSearchStore(cacheDirectory), progress } }
      : undefined),
  });
}

/** What a command goes on with. Skills that are not trusted are still in it, and say so. */
interface TrustedSkills {
  readonly session: Session;
  readonly skills: Skills;
}

const MAX_NAMES = 12;
const MAX_NAME_LENGTH = 64;
const MAX_ROOTS = 3;

/**
 * For commands that disclose or run skills: settles what happens to those of a project that is not
 * trusted. A person at a terminal is asked once; elsewhere a message says what to do. `--trust` has
 * been honoured when the session was opened.
 */
export async function requireTrust(
  session: Session,
  skills: Skills,
  options: SessionOptions,
  host: AppHost,
): Promise<TrustedSkills> {
  const unchanged = { session, skills };
  const untrusted = untrustedSkills(skills, options);
  if (untrusted.length === 0) return unchanged;
  // Who has said no is not asked again.
  const isRefused =
    isTrustManaged(session) || (await session.trust.folder(session.project)) === "untrusted";
  const question = questionOf(untrusted, session);
  const person = host.person();
  if (isRefused || person?.trust === undefined) {
    noteUntrusted(question, host, isTrustManaged(session));
    return unchanged;
  }
  const answer = await person.trust(question);
  if (answer === "folder") await rememberTrust(session, host);
  if (answer === "no") {
    host.note("Going on without them.");
    return unchanged;
  }
  const trusted = await trustedSession(session, options, host);
  return { session: trusted, skills: await openSessionSkills(trusted, options, host) };
}

function untrustedSkills(skills: Skills, { source }: SessionOptions): SkillRecord[] {
  return [...new Set([...skills.all, ...skills.shadowed])].filter(
    (skill) => !skill.trusted && skill.enabled && (source === undefined || skill.source === source),
  );
}

function questionOf(untrusted: readonly SkillRecord[], { project }: Session): TrustQuestion {
  return {
    count: countText(untrusted),
    folder: visibleLine(realPath(project)),
    from: rootsOutside(untrusted, project),
    names: namesText(untrusted),
  };
}

async function rememberTrust({ trust, project }: Session, host: AppHost): Promise<void> {
  try {
    await trust.setFolder(project, "trusted");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    host.note(visibleLine(`warning: trusted in this run only, it cannot be stored: ${reason}`));
  }
}

function noteUntrusted(
  { count, folder, from, names }: TrustQuestion,
  host: AppHost,
  isManaged: boolean,
): void {
  if (host.quiet) return;
  host.note(`Left out: ${count} not trusted (${names}).`);
  host.note(`  folder  ${folder}`);
  for (const root of from) host.note(`  from    ${root}`);
  if (isManaged) return host.note("Only the administrator decides what is trusted (trust.roots).");
  host.note("To use them, after a look:");
  host.note("  skillwright trust     trust this folder from now on");
  host.note("  --trust               trust it in one run");
  host.note("  trust.roots           name their folder in your own configuration");
}

function countText({ length }: readonly unknown[]): string {
  return plural(length, "skill that is", "skills that are");
}

function namesText(skills: readonly SkillRecord[]): string {
  const names = [...new Set(skills.map(({ name }) => name))];
  const shown = names.slice(0, MAX_NAMES).map((name) => quoteLine(name, MAX_NAME_LENGTH));
  const more = names.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
}

/** Where links lead: a folder's trust covers skills that are kept elsewhere. */
function rootsOutside(skills: readonly SkillRecord[], project: string): string[] {
  const inside = `${realPath(project)}${sep}`;
  const roots = new Set(skills.map(({ root }) => realPath(root)));
  const outside = [...roots].filter((root) => !`${root}${sep}`.startsWith(inside));
  const shown = outside.slice(0, MAX_ROOTS).map(visibleLine);
  const more = outside.length - shown.length;
  return more === 0 ? shown : [...shown, `and ${more} more`];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** A skill whose content is trusted, as the store has it. */
export interface TrustedSkill {
  /** What the store calls it. */
  readonly stored: string;
  readonly digest: string;
  /** The name of one in a folder; of a server's, its path on that server. */
  readonly path: string;
  /** Of a server's. */
  readonly label?: string;
  /** Of a server's; those that were trusted long ago have none. */
  readonly uri?: string;
}

const OF_SERVER = /^(?:(\S+) )?(.+)@mcp:([\w-]+)$/s;

/** What the store calls a server's skill: two of one name have two URIs. */
export function storedName({ uri, relativePath, source }: SkillRecord): string {
  return `${uri} ${relativePath}@${source}`;
}

export function trustedSkills({ digests }: Pick<TrustStore, "digests">): readonly TrustedSkill[] {
  return [...digests].map(([digest, stored]) => {
    const [, uri, path, label] = OF_SERVER.exec(stored) ?? [];
    if (path === undefined || label === undefined) return { stored, digest, path: stored };
    return { stored, digest, path, label, ...(uri !== undefined && { uri }) };
  });
}

/** The name by which it can be called. */
export function trustedName({ path, label }: TrustedSkill): string {
  return label === undefined ? path : `${path}@mcp:${label}`;
}

interface Wanted {
  readonly name: string;
  readonly source?: string;
}

/**
 * Which trust somebody wants to take back. No server is asked: it may be gone. A path or a URI means
 * one skill, the name of a server's skill one of that server, and a name alone all of it.
 */
export function meantTrust(
  given: string,
  trusted: readonly TrustedSkill[],
): readonly TrustedSkill[] {
  const whole = trusted.filter((skill) => isCalled(skill, given));
  if (whole.length > 0) return whole;
  const wanted = wantedIn(given);
  const from = trusted.filter((skill) => isFrom(skill, wanted.source));
  const exact = from.filter((skill) => isAt(skill, wanted.name));
  if (exact.length > 0 && wanted.source !== undefined) return exact;
  const named = from.filter((skill) => isAt(skill, wanted.name) || isNamed(skill, wanted.name));
  if (wanted.source !== undefined) requireOne(given, named);
  return named.length > 0 ? named : inFolders(given, trusted);
}

/** `pdf@mcp:docs`, or the label alone behind the `@`. */
function wantedIn(given: string): Wanted {
  const at = given.lastIndexOf("@");
  if (at <= 0) return { name: given };
  return { name: given.slice(0, at), source: given.slice(at + 1).replace(/^mcp:/i, "") };
}

/** By its URI, or by its id, which may have a version behind it. */
function isCalled({ label, path, uri }: TrustedSkill, given: string): boolean {
  if (label === undefined) return false;
  if (uri === given) return true;
  const id = fold(`mcp:${label}:${path}`);
  return fold(given) === id || fold(given).startsWith(`${id}@`);
}

function isFrom({ label }: TrustedSkill, source: string | undefined): boolean {
  return source === undefined || (label !== undefined && fold(label) === fold(source));
}

function isAt({ label, path, uri }: TrustedSkill, name: string): boolean {
  if (fold(path) === fold(name) || uri === name) return true;
  // Of an old one only the name is known.
  return label !== undefined && uri === undefined && fold(path) === fold(lastOf(name));
}

function isNamed({ path }: TrustedSkill, name: string): boolean {
  return fold(lastOf(path)) === fold(name);
}

/** Several contents of one skill are one; several skills are not. */
function requireOne(given: string, found: readonly TrustedSkill[]): void {
  const names = [...new Set(found.map(trustedName))];
  if (names.length < 2) return;
  throw new AppFailure("usage", `${given} may mean several trusted skills`, {
    hint: `say which: ${names.join(", ")}`,
  });
}

/** `pdf`, and what else a skill in a folder can be called: `tools/pdf`, `pdf@project`, `project:pdf`. */
function inFolders(given: string, trusted: readonly TrustedSkill[]): readonly TrustedSkill[] {
  const skills = trusted.filter(({ label }) => label === undefined);
  const found = skills.filter(({ path }) => fold(path) === fold(given));
  if (found.length > 0 || /@mcp:[^@]*$/i.test(given)) return found;
  const name = fold(lastOf(wantedIn(given).name));
  return skills.filter(({ path }) => fold(path) === name);
}

/** The name in a path or an id. */
function lastOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf(":")) + 1);
}

/** As names of skills are compared. */
function fold(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
