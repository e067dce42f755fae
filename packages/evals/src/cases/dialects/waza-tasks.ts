import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { matchGlob } from "../../sequence/match-step.ts";

/** What lies below the folder of a suite. */
export interface WazaTasks {
  /** With `/`, sorted, without links. */
  readonly files: readonly string[];
  /** What is not looked at, and why. */
  readonly left: readonly { readonly path: string; readonly why: string }[];
  readonly links: readonly string[];
}

const MAX_DEPTH = 4;
const MAX_TASKS = 10_000;

/** YAML files that a suite may name; what lies elsewhere it cannot. */
export function findWazaTasks(folder: string, most = MAX_TASKS): WazaTasks {
  const files: string[] = [];
  const left: { path: string; why: string }[] = [];
  const links: string[] = [];
  const enter = (prefix: string, depth: number): void => {
    for (const entry of entriesOf(join(folder, prefix))) {
      const path = `${prefix}${entry.name}`;
      if (entry.isSymbolicLink()) links.push(path);
      else if (entry.isFile() && /\.ya?ml$/i.test(entry.name)) files.push(path);
      else if (!entry.isDirectory() || /^(?:\..*|node_modules)$/.test(entry.name)) continue;
      else if (depth < MAX_DEPTH) enter(`${path}/`, depth + 1);
      else left.push({ path, why: "it is nested too deep" });
    }
  };
  const entriesOf = (place: string): Dirent[] => {
    try {
      const entries = readdirSync(place, { withFileTypes: true });
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    } catch (error) {
      left.push({ path: place, why: error instanceof Error ? error.message : "unknown" });
      return [];
    }
  };
  enter("", 0);
  const first = files[most];
  if (first !== undefined) {
    const why = `there are more than ${most} files, and ${files.length - most} are left out from here on`;
    left.push({ path: first, why });
  }
  return { files: files.slice(0, most), left, links };
}

/** As in a shell: `*` stays in its folder, `**` is any folders. */
export function isTaskPath(pattern: string, path: string): boolean {
  const parts = pattern.split("/").filter((part) => part !== ".");
  // Several in a row say no more than one.
  const plain = parts.filter((part, at) => part !== "**" || parts[at - 1] !== "**");
  return matchParts(plain, path.split("/"));
}

function matchParts(patterns: readonly string[], parts: readonly string[]): boolean {
  const [first, ...rest] = patterns;
  if (first === undefined) return parts.length === 0;
  if (first === "**") return parts.some((_, at) => matchParts(rest, parts.slice(at)));
  const [part, ...others] = parts;
  return part !== undefined && matchGlob(first, part) && matchParts(rest, others);
}
