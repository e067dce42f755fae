import { realpathSync } from "node:fs";
import { isBelow } from "../../execution/control-files.ts";
import type { SkillScriptFolder } from "./skill-script-folders.ts";

/** Every mount costs time at every start. */
const MAX_MOUNTS = 64;

/**
 * What a command must not see: the `scripts` folders of all skills, so that no script runs but through
 * the way of scripts. Where there are very many, the folders of skills that hold them.
 */
export function hiddenScripts(
  folders: readonly SkillScriptFolder[],
  root: string,
): readonly string[] {
  const paths = [...new Set(folders.map(({ path }) => path))];
  if (paths.length <= MAX_MOUNTS) return paths;
  const holding = new Set(folders.map(({ skill }) => realFolder(skill.root)));
  // One that holds the working directory itself cannot be hidden.
  const roots = [...holding].filter((path) => path !== undefined && !isBelow(path, root));
  const rest = paths.filter((path) => !roots.some((hidden) => isBelow(hidden ?? "", path)));
  return [...roots.filter((path) => path !== undefined), ...rest];
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
