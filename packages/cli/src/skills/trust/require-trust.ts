import { realpathSync } from "node:fs";
import { sep } from "node:path";
import type { SkillRecord, Skills } from "@skillwright/core";
import { plural, quoteLine, visibleLine } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT } from "../../exit-code.ts";
import {
  openSessionSkills,
  type Session,
  type SessionOptions,
  trustedSession,
} from "@skillwright/app/internal";

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
  console: Console,
): Promise<TrustedSkills> {
  const unchanged = { session, skills };
  const untrusted = untrustedSkills(skills, options);
  if (untrusted.length === 0) return unchanged;
  // Who has said no is not asked again.
  const isRefused = (await session.trust.folder(session.project)) === "untrusted";
  if (isRefused || !console.canAsk) {
    noteUntrusted(untrusted, session, console);
    return unchanged;
  }
  const answer = await askForTrust(untrusted, session, console);
  if (answer === undefined) throw new CommandFailure(EXIT.interrupted, "interrupted");
  if (answer === "folder") await rememberTrust(session, console);
  if (answer === "no") {
    console.note("Going on without them.");
    return unchanged;
  }
  const trusted = await trustedSession(session, options, console);
  return { session: trusted, skills: await openSessionSkills(trusted, options, console) };
}

function untrustedSkills(skills: Skills, { source }: SessionOptions): SkillRecord[] {
  return [...new Set([...skills.all, ...skills.shadowed])].filter(
    (skill) => !skill.trusted && skill.enabled && (source === undefined || skill.source === source),
  );
}

function askForTrust(
  untrusted: readonly SkillRecord[],
  { project }: Session,
  console: Console,
): Promise<"folder" | "once" | "no" | undefined> {
  const { bold } = console.noteColors;
  console.note(bold(`This project has ${countText(untrusted)} not trusted yet.`));
  console.note(`  folder  ${visibleLine(realPath(project))}`);
  for (const root of rootsOutside(untrusted, project)) console.note(`  from    ${root}`);
  console.note(`  skills  ${namesText(untrusted)}`);
  console.note(
    "A skill is text that a model follows, and may bring scripts. Look before you trust.",
  );
  return console.choose({
    message: "Trust this folder?",
    choices: [
      { value: "folder", label: "Trust this folder", hint: "until skillwright untrust" },
      { value: "once", label: "Only this time" },
      { value: "no", label: "No", hint: "go on without these skills" },
    ],
    initial: "no",
  });
}

async function rememberTrust({ trust, project }: Session, console: Console): Promise<void> {
  try {
    await trust.setFolder(project, "trusted");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.note(visibleLine(`warning: trusted in this run only, it cannot be stored: ${reason}`));
  }
}

function noteUntrusted(
  untrusted: readonly SkillRecord[],
  { project }: Session,
  console: Console,
): void {
  if (console.quiet) return;
  console.note(`Left out: ${countText(untrusted)} not trusted (${namesText(untrusted)}).`);
  console.note(`  folder  ${visibleLine(realPath(project))}`);
  for (const root of rootsOutside(untrusted, project)) console.note(`  from    ${root}`);
  console.note("To use them, after a look:");
  console.note("  skillwright trust     trust this folder from now on");
  console.note("  --trust               trust it in one run");
  console.note("  trust.roots           name their folder in your own configuration");
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
