import { hasHiddenCharacters } from "../hidden-characters.ts";
import type { PolicyPlaces } from "./policy-settings.ts";

/** Whether a rule covers a call; `unclear` when that cannot be decided. */
export type Match = "yes" | "unclear" | "no";

/** The better of any: `yes` before `unclear` before `no`. */
export function best(matches: readonly Match[]): Match {
  return (["yes", "unclear"] as const).find((match) => matches.includes(match)) ?? "no";
}

/** The worst of all, `yes` when there is none. */
export function worst(matches: readonly Match[]): Match {
  return (["no", "unclear"] as const).find((match) => matches.includes(match)) ?? "yes";
}

/** Compares with a pattern in which `*` matches any text. */
export function matchWildcard(pattern: string, text: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (last === undefined) return pattern === text;
  const end = text.length - last.length;
  if (first.length > end || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    at = found + part.length;
    if (found === -1 || at > end) return false;
  }
  return true;
}

/** Says whether an item may be in its place; `any` stands for any number of items. */
type ItemTest = ((item: string) => boolean) | "any";

function matchItems(tests: readonly ItemTest[], items: readonly string[]): boolean {
  let at = 0;
  let next = 0;
  let afterAny: { readonly next: number; at: number } | undefined;
  while (at < items.length) {
    const test = tests[next];
    if (test === "any") {
      afterAny = { next: ++next, at };
    } else if (test?.(items[at] ?? "") === true) {
      next++;
      at++;
    } else if (afterAny !== undefined) {
      next = afterAny.next;
      at = ++afterAny.at;
    } else return false;
  }
  return tests.slice(next).every((test) => test === "any");
}

const TOKEN = /\[.[^\]]*\]|./gsu;

/** One part of a path as a pattern writes it: `**`, or with `*`, `?`, `[abc]`, `[!a-z]`. */
function segmentTest(pattern: string): ItemTest {
  if (pattern === "**") return "any";
  const tokens = pattern.match(TOKEN) ?? [];
  const tests = tokens.map((token) => (token === "*" ? "any" : characterTest(token)));
  return (segment) => matchItems(tests, Array.from(segment));
}

function characterTest(token: string): (character: string) => boolean {
  const [, not, list] = /^\[([!^](?=.+\]$))?(.+)\]$/su.exec(token) ?? [];
  if (list === undefined) return (character) => token === "?" || token === character;
  const ranges = [...list.matchAll(/(.)-(.)|./gsu)];
  const isListed = (character: string) =>
    ranges.some(([one, from = one, to = one]) => character >= from && character <= to);
  return not === undefined ? isListed : (character) => !isListed(character);
}

export interface ResolvedPath {
  /** Absolute, with `/`, without `.` and `..`. */
  readonly path: string;
  /** May mean something else to whoever opens it: it can be denied, but not allowed by a rule. */
  readonly unclear: boolean;
}

const MAX_PATH_LENGTH = 4096;
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
    path.length > MAX_PATH_LENGTH ||
    path.startsWith("~") ||
    hasHiddenCharacters(path) ||
    SCHEME.test(isWindows && DRIVE.test(path) ? path.slice(2) : path) ||
    (isWindows ? LOOSE_END.test(pathSegments(rest).join("/")) : path.includes("\\"));
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

/** `permit` takes a pattern at its narrowest, `restrict` at its widest. */
export type RuleUse = "permit" | "restrict";

const MAX_PATTERN_LENGTH = 1024;

/** Compares a path with the specifier of a rule, written as in a `.gitignore`. */
export function matchPath(
  specifier: string,
  { path, unclear }: ResolvedPath,
  places: PolicyPlaces,
  use: RuleUse,
): Match {
  if (!isReadablePattern(specifier)) return use === "permit" ? "no" : "unclear";
  const pattern = anchoredPattern(slash(specifier.trim()), places, use);
  if (pattern === undefined) return "no";
  const fold = (text: string) => (use === "permit" ? text : text.normalize("NFC").toLowerCase());
  // What lies in a folder that is named is covered; what a `*` names is only that.
  const isOpen = use === "restrict" || !/[*?[]/.test(pattern.at(-1) ?? "");
  const tests = [...pattern.map(fold), ...(isOpen ? ["**"] : [])].map(segmentTest);
  if (!matchItems(tests, pathSegments(fold(path)))) return "no";
  return use === "permit" && unclear ? "unclear" : "yes";
}

/** A pattern that takes something back, or is longer than any path, is not read. */
export function isReadablePattern(specifier: string): boolean {
  return !specifier.trim().startsWith("!") && specifier.length <= MAX_PATTERN_LENGTH;
}

/** The pattern as parts of an absolute path; undefined when it can match nothing. */
function anchoredPattern(
  pattern: string,
  { workingDirectory, project, home }: PolicyPlaces,
  use: RuleUse,
): readonly string[] | undefined {
  const below = (folder: string, rest: string) => pathSegments(`${escape(slash(folder))}/${rest}`);
  if (pattern.startsWith("//")) return pathSegments(pattern);
  if (/^[a-z]:\//i.test(pattern)) return pathSegments(pattern);
  if (pattern === "~" || pattern.startsWith("~/")) {
    if (home !== undefined) return below(home, pattern.slice(1));
    return use === "permit" ? undefined : ["**", ...pathSegments(pattern.slice(1))];
  }
  if (pattern.startsWith("/")) return below(project ?? workingDirectory, pattern);
  if (/^\.{1,2}(?:\/|$)/.test(pattern)) return below(workingDirectory, pattern);
  const segments = pathSegments(pattern);
  if (use === "restrict") return ["**", ...segments];
  return below(workingDirectory, segments.length === 1 ? `**/${pattern}` : pattern);
}

/** Folders of the request are names, not patterns. */
function escape(folder: string): string {
  return folder.replace(/[*?[\]]/g, "[$&]");
}

/** Compares a host with the specifier of a rule: `domain:example.com`, `domain:*.example.com`. */
export function matchDomain(specifier: string, host: string, use: RuleUse): Match {
  const domain = domainOf(specifier);
  if (domain === undefined) return use === "permit" ? "no" : "unclear";
  // A denied domain includes what is below it.
  const isBelow = use === "restrict" && host.endsWith(`.${domain}`);
  return domain === "*" || domain === host || isBelow || matchLabels(domain, host) ? "yes" : "no";
}

/** `*.` at the start covers any depth, a `*` elsewhere stays inside one label. */
function matchLabels(domain: string, host: string): boolean {
  const below = /^\*(\.[^*]*)$/.exec(domain)?.[1];
  if (below !== undefined) return host.length > below.length && host.endsWith(below);
  const wanted = domain.split(".");
  const labels = host.split(".");
  return (
    wanted.length === labels.length &&
    wanted.every((label, i) => matchWildcard(label, labels[i] ?? ""))
  );
}

export function isReadableDomain(specifier: string): boolean {
  return domainOf(specifier) !== undefined;
}

/** The host of an address; undefined for anything else, and for an address that names a user. */
export function hostOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { hostname, username, password, protocol } = new URL(address);
  const isWeb = protocol === "https:" || protocol === "http:";
  if (!isWeb || username !== "" || password !== "") return undefined;
  return hostname.replace(/\.$/, "");
}

function domainOf(specifier: string): string | undefined {
  const wanted = /^domain:(.+)$/.exec(specifier.trim())?.[1];
  if (wanted === undefined) return undefined;
  const plain = wanted.trim().toLowerCase().replace(/\.$/, "");
  if (plain.includes("*")) return /^[a-z0-9*.-]+$/.test(plain) ? plain : undefined;
  return /[/?#@\s]/.test(plain) ? undefined : hostOf(`https://${plain}`);
}
