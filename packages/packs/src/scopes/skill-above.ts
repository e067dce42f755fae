import { statSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * The skill that a folder is or lies in, if any: skills in a skill would be files of it. A project
 * may be a skill as a whole and have skills installed all the same; `project` itself counts only
 * when it is the folder.
 */
export function skillAbove(folder: string, project?: string): string | undefined {
  if (isSkill(folder)) return folder;
  for (let above = dirname(folder); above !== project; above = dirname(above)) {
    if (isSkill(above)) return above;
    if (above === dirname(above)) break;
  }
  return undefined;
}

function isSkill(folder: string): boolean {
  try {
    return statSync(join(folder, "SKILL.md"), { throwIfNoEntry: false })?.isFile() === true;
  } catch {
    return false;
  }
}
