import type { PolicyPlaces } from "../policy-request.ts";
import type { Match } from "./match.ts";
import { matchSegment } from "./match-segment.ts";
import { pathSegments, type ResolvedPath, slash } from "./resolve-path.ts";

/** `permit` takes a pattern at its narrowest, `restrict` at its widest. */
export type RuleUse = "permit" | "restrict";

const MAX_LENGTH = 1024;

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
  return !specifier.trim().startsWith("!") && specifier.length <= MAX_LENGTH;
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
