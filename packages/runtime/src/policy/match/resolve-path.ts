import { hasHiddenCharacters } from "../../hidden-characters.ts";
import type { PolicyPlaces } from "../policy-request.ts";

export interface ResolvedPath {
  /** Absolute, with `/`, without `.` and `..`. */
  readonly path: string;
  /** May mean something else to whoever opens it: it can be denied, but not allowed by a rule. */
  readonly unclear: boolean;
}

const MAX_LENGTH = 4096;
const SCHEME = /^[a-z][a-z0-9+.-]+:/i;
const DRIVE = /^[a-z]:/i;
/** Windows leaves these off. */
const LOOSE_END = /[. ](?:\/|$)|:[^/]*$/;

/** A path as a call gives it, as one absolute path. Links are not followed: see `realPaths`. */
export function resolvePath(path: string, { workingDirectory, home }: PolicyPlaces): ResolvedPath {
  const isWindows = DRIVE.test(workingDirectory);
  const slashed = path.replaceAll("\\", "/");
  const isHome = slashed === "~" || slashed.startsWith("~/");
  const rest = isHome ? `${slash(home ?? "/~")}/${slashed.slice(1)}` : slashed;
  const isAbsolute = rest.startsWith("/") || (isWindows && DRIVE.test(rest));
  const full = isAbsolute ? rest : `${slash(workingDirectory)}/${rest}`;
  const unclear =
    path === "" ||
    path.length > MAX_LENGTH ||
    path.startsWith("~") ||
    hasHiddenCharacters(path) ||
    SCHEME.test(isWindows && DRIVE.test(path) ? path.slice(2) : path) ||
    (isWindows ? LOOSE_END.test(withoutDots(rest)) : path.includes("\\"));
  return { path: normalizePath(full), unclear };
}

/** Says whether a path is a folder or lies in it. */
export function isInside(path: string, folder: string): boolean {
  const plain = normalizePath(slash(folder));
  return path === plain || path.startsWith(plain === "/" ? plain : `${plain}/`);
}

/** The parts of an absolute path without `.` and `..`. */
export function pathSegments(path: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of path.split("/")) {
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  }
  return segments;
}

export function slash(path: string): string {
  return path.replaceAll("\\", "/");
}

function normalizePath(path: string): string {
  return `/${pathSegments(path).join("/")}`;
}

function withoutDots(path: string): string {
  return pathSegments(path).join("/");
}
