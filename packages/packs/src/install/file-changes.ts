import type { FileChanges } from "./change-report.ts";

type Digests = ReadonlyMap<string, string>;

/** What a change does to the files of a skill. */
export function fileChanges(before: Digests, after: Digests): FileChanges {
  return {
    added: [...after.keys()].filter((path) => !before.has(path)),
    modified: [...after].flatMap(([path, digest]) => {
      const other = before.get(path);
      return other === undefined || other === digest ? [] : [path];
    }),
    removed: [...before.keys()].filter((path) => !after.has(path)),
  };
}

export function digestsOf(files: Readonly<Record<string, string>>): Digests {
  return new Map(Object.entries(files));
}
