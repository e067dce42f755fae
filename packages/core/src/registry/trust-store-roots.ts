import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { realFolder } from "./state-file.ts";

export interface TrustedPlaces {
  /** Roots named by flag or user configuration; the same root by a link is the same. */
  readonly trustedRoots?: ReadonlySet<string>;
  /** Folders whose roots are trusted, but for those of repositories inside of them. */
  readonly trustedFolders?: readonly string[];
}

/** Whether a root is one that the user named, or lies in a folder that they named. */
export function trustedRootTest(places: TrustedPlaces): (root: string) => boolean {
  const { trustedRoots = new Set<string>(), trustedFolders = [] } = places;
  const roots = new Set([...trustedRoots].map(realFolder));
  const folders = new Set(trustedFolders.map(realFolder));
  const known = new Map<string, boolean>();
  return (root) => {
    const answer = known.get(root);
    if (answer !== undefined) return answer;
    const real = realFolder(root);
    const found = roots.has(real) || isIn(folders, real);
    known.set(root, found);
    return found;
  };
}

function isIn(folders: ReadonlySet<string>, root: string): boolean {
  if (folders.size === 0) return false;
  for (let folder = root; ; folder = dirname(folder)) {
    if (folders.has(folder)) return true;
    if (folder === dirname(folder) || existsSync(join(folder, ".git"))) return false;
  }
}
