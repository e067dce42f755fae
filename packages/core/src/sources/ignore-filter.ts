import { readFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import ignore from "ignore";

/** Tells which folders below a root a project ignores. Paths are relative to the root. */
export interface IgnoreFilter {
  ignores(path: string): boolean;
}

/** The `.gitignore` files from the project's folder down to the root; undefined without any. */
export function createIgnoreFilter(project: string, root: string): IgnoreFilter | undefined {
  const below = relative(project, root);
  if (below.startsWith("..") || below === "") return undefined;
  const segments = below.split(sep);
  const filters = [project, ...segments.map((_, i) => join(project, ...segments.slice(0, i + 1)))]
    .map((folder) => ({ folder, text: readIgnoreFile(folder) }))
    .filter(({ text }) => text !== "")
    .map(({ folder, text }) => ({ prefix: relative(folder, root), rules: ignore().add(text) }));
  if (filters.length === 0) return undefined;
  return {
    ignores: (path) =>
      filters.some(({ prefix, rules }) => {
        const full = prefix === "" ? path : `${prefix.split(sep).join("/")}/${path}`;
        return rules.ignores(`${full}/`);
      }),
  };
}

function readIgnoreFile(folder: string): string {
  try {
    return readFileSync(join(folder, ".gitignore"), "utf8");
  } catch {
    return "";
  }
}
