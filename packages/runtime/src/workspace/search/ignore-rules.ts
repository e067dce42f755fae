import ignore, { type Ignore } from "ignore";

/** Which files a search passes over. Paths are relative to the working directory; folders end in `/`. */
export interface IgnoreRules {
  ignores(path: string): boolean;
  /** The same rules and those of the `.gitignore` of one more folder (`` or `src/`). */
  with(folder: string, text: string): IgnoreRules;
}

interface FolderRules {
  readonly folder: string;
  readonly rules: Ignore;
}

/** As git does by default: names differ by case where files do. */
const OPTIONS = { ignorecase: process.platform === "darwin" || process.platform === "win32" };
const MAX_LINES = 5000;
/** Lines that can cost much; each wildcard multiplies the steps that a hostile name takes. */
const MAX_COSTLY_LINES = 50;
const CHEAP_WILDCARDS = 2;
const MAX_WILDCARDS = 4;
const MAX_LINE_LENGTH = 256;

export const NO_RULES: IgnoreRules = rulesOf([]);

/** A pattern in the grammar of `.gitignore` that says yes or no; undefined when it is too costly. */
export function pathMatcher(patterns: readonly string[]): ((path: string) => boolean) | undefined {
  if (patterns.some((pattern) => !isBounded(pattern))) return undefined;
  const rules = ignore(OPTIONS).add([...patterns]);
  return (path) => rules.ignores(path);
}

/** The nearest `.gitignore` that says anything about a path decides. */
function rulesOf(chain: readonly FolderRules[]): IgnoreRules {
  return {
    ignores(path) {
      for (const { folder, rules } of chain) {
        if (!path.startsWith(folder) || path === folder) continue;
        const { ignored, unignored } = rules.test(path.slice(folder.length));
        if (ignored || unignored) return ignored;
      }
      return false;
    },
    with: (folder, text) =>
      rulesOf([{ folder, rules: ignore(OPTIONS).add(boundedLines(text)) }, ...chain]),
  };
}

/**
 * Patterns become regular expressions that try every way to fill their wildcards, and a project's
 * `.gitignore` may be written to make that last for ever. Real ones have few wildcards.
 */
function boundedLines(text: string): string[] {
  let costly = 0;
  return text
    .split(/\r?\n/)
    .slice(0, MAX_LINES)
    .filter((line) => {
      if (wildcardsIn(line) <= CHEAP_WILDCARDS) return line.length <= MAX_LINE_LENGTH;
      return isBounded(line) && costly++ < MAX_COSTLY_LINES;
    });
}

function isBounded(pattern: string): boolean {
  return pattern.length <= MAX_LINE_LENGTH && wildcardsIn(pattern) <= MAX_WILDCARDS;
}

function wildcardsIn(pattern: string): number {
  return pattern.match(/\*+/g)?.length ?? 0;
}
