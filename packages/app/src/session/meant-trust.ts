import { trustedName, type TrustedSkill } from "./trusted-skill.ts";
import { AppFailure } from "../failure.ts";

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
