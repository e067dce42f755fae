import { readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { ROOT_FOLDERS, type SkillRecord } from "@skillwright/core";
import { isBelow } from "../execution/control-files.ts";
import { isScriptsFolder } from "./find-unknown-script.ts";

/** Every mount costs time at every start. */
const MAX_MOUNTS = 64;

/**
 * The `scripts` folders that no known skill has, in the folders where skills lie: beside known ones and
 * in the usual places. Commands must not see them either. Where there are very many in one folder, it
 * is that folder. Others are not looked for.
 */
export function unknownScriptFolders(
  skills: readonly SkillRecord[],
  root: string,
  hidden: readonly string[],
): readonly string[] {
  const usual = ROOT_FOLDERS.map((folder) => join(root, folder));
  const folders = [...usual, ...skills.map((skill) => skill.root)].flatMap(realFolder);
  return [...new Set(folders)].flatMap((folder) => {
    const found = scriptsIn(folder).filter((path) => !hidden.some((one) => isBelow(one, path)));
    return found.length > MAX_MOUNTS && !isBelow(folder, root) ? [folder] : found;
  });
}

function scriptsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== "scripts")
      .map(({ name }) => join(folder, name, "scripts"))
      .filter((path) => isScriptsFolder(path) && realFolder(path)[0] === path);
  } catch {
    return [];
  }
}

function realFolder(path: string): readonly string[] {
  try {
    return [realpathSync.native(path)];
  } catch {
    return [];
  }
}
