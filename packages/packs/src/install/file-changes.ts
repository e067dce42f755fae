import type { FolderFile } from "../lock/read-folder.ts";
import type { FileChanges } from "./change-report.ts";
import type { StandingSkill } from "./standing-skill.ts";

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

/** Files that can be run afterwards and could not before, or the other way round. */
export function modeChanges(
  standing: StandingSkill,
  after: Iterable<FolderFile>,
): Pick<FileChanges, "modes"> {
  if (standing.kind !== "folder") return {};
  const before = new Map(standing.contents.map(({ path, executable }) => [path, executable]));
  const modes = [...after].flatMap(({ path, executable }) => {
    const other = before.get(path);
    return other === undefined || other === executable ? [] : [path];
  });
  return modes.length === 0 ? {} : { modes };
}

export function digestsOf(files: Readonly<Record<string, string>>): Digests {
  return new Map(Object.entries(files));
}
