import { realpathSync } from "node:fs";
import type { FileFailure } from "./skill-files.ts";
import { quotePath } from "./skill-path.ts";

export type RealDirectory = { readonly ok: true; readonly root: string } | FileFailure;

/** The folder a skill lies in, which an installer may have linked; links below it are refused. */
export function realDirectory(directory: string): RealDirectory {
  try {
    return { ok: true, root: realpathSync.native(directory) };
  } catch {
    const message = `the folder of the skill, ${quotePath(directory)}, cannot be read`;
    return { ok: false, code: "directory-unreadable", message };
  }
}
