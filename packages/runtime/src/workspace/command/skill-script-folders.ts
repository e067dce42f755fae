import { lstatSync, realpathSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { isVisibleToModel, type SkillRecord } from "@skillwright/core";

/** Where scripts of a skill lie, by its real path. */
export interface SkillScriptFolder {
  readonly skill: SkillRecord;
  /** The folder `scripts`, which is no link. */
  readonly path: string;
  /** The same as it is named, when a link stands between. */
  readonly named: string;
  /** Whether a model may run what is in it. */
  readonly isRunnable: boolean;
}

/** Of all skills, also those that are not trusted, switched off, or come second. */
export function skillScriptFolders(skills: readonly SkillRecord[]): readonly SkillScriptFolder[] {
  return skills.flatMap((skill) =>
    // The same skill in other folders: its scripts run from the first one.
    [skill.path, ...skill.alsoAt].flatMap((folder) => {
      const path = realScripts(folder);
      if (path === undefined) return [];
      const isRunnable = isVisibleToModel(skill) && skill.shadowedBy === undefined;
      return [{ skill, path, named: join(folder, "scripts"), isRunnable }];
    }),
  );
}

/** A folder that is a link makes the whole skill one that is not run. */
function realScripts(folder: string): string | undefined {
  // Skills defined in code have no folder.
  if (!isAbsolute(folder)) return undefined;
  try {
    const path = join(realpathSync.native(folder), "scripts");
    return lstatSync(path).isDirectory() ? path : undefined;
  } catch {
    return undefined;
  }
}
