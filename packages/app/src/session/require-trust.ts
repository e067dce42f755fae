import { realpathSync } from "node:fs";
import { sep } from "node:path";
import type { SkillRecord, Skills } from "@skillwright/core";
import { plural, quoteLine, visibleLine } from "@skillwright/core/internal";
import { openSessionSkills } from "./skills.ts";
import { isTrustManaged, type Session, type SessionOptions, trustedSession } from "./session.ts";
import type { AppHost, TrustQuestion } from "../host.ts";

/** What a command goes on with. Skills that are not trusted are still in it, and say so. */
export interface TrustedSkills {
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
