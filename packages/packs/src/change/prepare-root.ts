import { chmodSync, lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { InstallScope } from "../install-scope.ts";
import { makeConfinedFolder } from "./files/confined-folder.ts";
import { standing } from "./files/plain-path.ts";
import { type StatePaths, statePaths } from "./root-context.ts";
import { RootRefusal } from "./root-refusal.ts";

/** The root and its state folder, made when missing. Neither is reached by a link that leads out. */
export function prepareRoot({ base, root: folder }: InstallScope): {
  readonly root: string;
  readonly state: StatePaths;
} {
  const root = makeConfinedFolder(base, folder);
  const state = statePaths(root);
  makeStateFolder(state.folder);
  return { root, state };
}

function makeStateFolder(folder: string): void {
  try {
    mkdirSync(folder, 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const stats = lstatSync(folder);
  if (!stats.isDirectory()) {
    const what = stats.isSymbolicLink() ? "a link" : "not a folder";
    throw new RootRefusal(`${folder} is ${what}`, { hint: "remove it" });
  }
  if (stats.uid !== (process.geteuid?.() ?? stats.uid)) {
    throw new RootRefusal(`${folder} belongs to another user`, {
      hint: "change this root as that user",
    });
  }
  if (process.platform !== "win32" && (stats.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}
/** Those of its folders that are something else, and files that should be what we write. */
export function misplaced(state: StatePaths): readonly string[] {
  const folders = [state.staging, state.backups, state.history, state.pristine];
  const gitIgnore = join(state.folder, ".gitignore");
  return [
    ...folders.filter((path) => standing(path)?.isDirectory() === false),
    ...(standing(gitIgnore)?.isFile() === false ? [gitIgnore] : []),
  ];
}
