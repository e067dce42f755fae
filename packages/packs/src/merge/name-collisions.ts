import { foldName } from "../archive/entries/fold-name.ts";

/**
 * Paths that cannot stand beside another one everywhere: the same but for case or Unicode form, or a
 * file where the other has a folder. What the new version itself brings is not judged here.
 */
export function nameCollisions(
  paths: Iterable<string>,
  incoming: { has(path: string): boolean },
): string[] {
  const all = [...paths];
  const spellings = new Map<string, string>();
  const folders = new Set<string>();
  for (const path of all) {
    const segments = foldName(path).split("/");
    for (let count = 1; count < segments.length; count++) {
      folders.add(segments.slice(0, count).join("/"));
    }
    // The path of the new version stands for both, so that the local one is named.
    const key = segments.join("/");
    if (!spellings.has(key) || incoming.has(path)) spellings.set(key, path);
  }
  return all.filter((path) => {
    const key = foldName(path);
    return folders.has(key) || (spellings.get(key) !== path && !incoming.has(path));
  });
}
