import { hasHiddenCharacters } from "../hidden-characters.ts";
import type { PolicyPlaces } from "./policy-request.ts";

/** Whether a rule covers a call; `unclear` when that cannot be decided. */
export type Match = "yes" | "unclear" | "no";

const ORDER = ["no", "unclear", "yes"] as const;

export function best(matches: Iterable<Match>): Match {
  let found: Match = "no";
  for (const match of matches) {
    if (match === "yes") return "yes";
    if (match === "unclear") found = match;
  }
  return found;
}

export function worst(matches: Iterable<Match>): Match {
  let found: Match = "yes";
  for (const match of matches) {
    if (match === "no") return "no";
    if (ORDER.indexOf(match) < ORDER.indexOf(found)) found = match;
  }
  return found;
}

/** Compares with a pattern in which `*` matches any text. Linear in both. */
export function matchWildcard(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (parts.length === 1) return pattern === text;
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    at = endOfFirst(part, text, at, end);
    if (at === -1) return false;
  }
  return true;
}

/** Where the first occurrence ends (Knuth, Morris, Pratt); -1 when there is none. */
function endOfFirst(part: string, text: string, from: number, end: number): number {
  if (part === "") return from;
  const fallback = new Int32Array(part.length);
  for (let i = 1, length = 0; i < part.length; i++) {
    while (length > 0 && part[i] !== part[length]) length = fallback[length - 1] ?? 0;
    if (part[i] === part[length]) length++;
    fallback[i] = length;
  }
  for (let i = from, length = 0; i < end; i++) {
    while (length > 0 && text[i] !== part[length]) length = fallback[length - 1] ?? 0;
    if (text[i] === part[length]) length++;
    if (length === part.length) return i + 1;
  }
  return -1;
}

/** `*`, or the characters that may be in one place. */
type Token = "*" | Range;

interface Range {
  readonly ranges: readonly (readonly [from: string, to: string])[];
  readonly not: boolean;
}

/** Compares one part of a path with one part of a pattern: `*`, `?`, `[abc]`, `[!a-z]`. */
function matchSegment(pattern: string, segment: string): boolean {
  const tokens = tokenize(pattern);
  const characters = Array.from(segment);
  let token = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < characters.length) {
    const current = tokens[token];
    if (current === "*") {
      star = token++;
      starAt = at;
    } else if (current !== undefined && matchesOne(current, characters[at] ?? "")) {
      token++;
      at++;
    } else if (star !== -1) {
      token = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (tokens[token] === "*") token++;
  return token === tokens.length;
}

function matchesOne({ ranges, not }: Range, character: string): boolean {
  return ranges.some(([from, to]) => character >= from && character <= to) !== not;
}

function tokenize(pattern: string): Token[] {
  const tokens: Token[] = [];
  const characters = Array.from(pattern);
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? "";
    const end = character === "[" ? characters.indexOf("]", i + 2) : -1;
    if (character === "*") tokens.push("*");
    else if (character === "?") tokens.push({ ranges: [], not: true });
    else if (end === -1) tokens.push({ ranges: [[character, character]], not: false });
    else {
      tokens.push(rangeOf(characters.slice(i + 1, end)));
      i = end;
    }
  }
  return tokens;
}

function rangeOf(inner: readonly string[]): Range {
  const not = inner.length > 1 && (inner[0] === "!" || inner[0] === "^");
  const list = not ? inner.slice(1) : inner;
  const ranges: [string, string][] = [];
  for (let i = 0; i < list.length; i++) {
    const from = list[i] ?? "";
    const to = list[i + 1] === "-" ? list[i + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) i += 2;
  }
  return { ranges, not };
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
  const segments = pathSegments(fold(path));
  if (!matchSegments(pattern.map(fold), segments, use)) return "no";
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

function matchSegments(pattern: readonly string[], path: readonly string[], use: RuleUse): boolean {
  let reached = new Set([0]);
  for (const part of pattern) {
    const next = new Set<number>();
    if (part === "**") {
      // Places are added in ascending order.
      const [first = 0] = reached;
      for (let i = first; i <= path.length; i++) next.add(i);
    } else {
      for (const at of reached) {
        const segment = path[at];
        if (segment !== undefined && matchSegment(part, segment)) next.add(at + 1);
      }
    }
    if (next.size === 0) return false;
    reached = next;
  }
  // What lies in a folder that is named is covered; what a `*` names is only that.
  const isOpen = use === "restrict" || !/[*?[]/.test(pattern.at(-1) ?? "");
  return isOpen || reached.has(path.length);
}

/** Compares a host with the specifier of a rule: `domain:example.com`, `domain:*.example.com`. */
export function matchDomain(specifier: string, host: string, use: RuleUse): Match {
  const domain = domainOf(specifier);
  if (domain === undefined) return use === "permit" ? "no" : "unclear";
  if (domain === "*" || domain === host) return "yes";
  // Who denies a domain means what is below it, too.
  if (use === "restrict" && host.endsWith(`.${domain}`)) return "yes";
  if (domain.startsWith("*.") && !domain.slice(2).includes("*")) {
    return host.length > domain.length - 1 && host.endsWith(domain.slice(1)) ? "yes" : "no";
  }
  return domain.includes("*") && matchLabels(domain, host) ? "yes" : "no";
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

/** Elsewhere a `*` stays inside one label. */
function matchLabels(domain: string, host: string): boolean {
  const wanted = domain.split(".");
  const labels = host.split(".");
  return (
    wanted.length === labels.length &&
    wanted.every((label, i) => matchWildcard(label, labels[i] ?? ""))
  );
}

function domainOf(specifier: string): string | undefined {
  const wanted = /^domain:(.+)$/.exec(specifier.trim())?.[1];
  if (wanted === undefined) return undefined;
  const plain = wanted.trim().toLowerCase().replace(/\.$/, "");
  if (plain.includes("*")) return /^[a-z0-9*.-]+$/.test(plain) ? plain : undefined;
  return /[/?#@\s]/.test(plain) ? undefined : hostOf(`https://${plain}`);
}
