const MAX_EXPANSIONS = 256;
const BRACES = /\{([^{}]*,[^{}]*)\}/;

/** Whether a path is a pattern. Brackets are not: they are common in file names. */
export function isGlob(path: string): boolean {
  return /[*?]/.test(path) || BRACES.test(path);
}

/** `*` and `?` stay in a folder, `**` is any number of folders, and `{a,b}` is one of them. */
export function matchPath(glob: string, path: string): boolean {
  const segments = path.split("/");
  return expandBraces(glob).some((one) => {
    const patterns = one.split("/").filter((part) => part !== "." && part !== "");
    return matchParts(patterns, segments, "**", matchName);
  });
}

function expandBraces(glob: string): string[] {
  let expanded = [glob];
  while (expanded.length <= MAX_EXPANSIONS) {
    const next = expanded.flatMap((one) => {
      const [whole = "", choices] = BRACES.exec(one) ?? [];
      if (choices === undefined) return [one];
      return choices.split(",").map((choice) => one.replace(whole, () => choice));
    });
    if (next.length === expanded.length) return expanded;
    expanded = next;
  }
  return expanded.slice(0, MAX_EXPANSIONS);
}

function matchName(glob: string, name: string): boolean {
  return matchParts(Array.from(glob), Array.from(name), "*", (a, b) => a === "?" || a === b);
}

/** Takes at most the product of the lengths: only the last star is tried again. */
function matchParts(
  patterns: readonly string[],
  parts: readonly string[],
  star: string,
  isMatch: (pattern: string, part: string) => boolean,
): boolean {
  let at = 0;
  let inPatterns = 0;
  let lastStar = -1;
  let starAt = 0;
  while (at < parts.length) {
    const pattern = patterns[inPatterns];
    if (pattern === star) {
      lastStar = inPatterns++;
      starAt = at;
    } else if (pattern !== undefined && isMatch(pattern, parts[at] ?? "")) {
      inPatterns++;
      at++;
    } else if (lastStar >= 0) {
      inPatterns = lastStar + 1;
      at = ++starAt;
    } else return false;
  }
  while (patterns[inPatterns] === star) inPatterns++;
  return inPatterns === patterns.length;
}
