import { createHash } from "node:crypto";
import { type Dirent, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { SkillwrightError } from "@skillwright/core";
import { combineDigests } from "@skillwright/core/internal";
import { folderNameProblem } from "../change/files/folder-name.ts";
import { foldName } from "../archive/entries/fold-name.ts";
import type { InstallScope } from "../install-scope.ts";
import { type FolderFile, readFolder } from "../lock/read-folder.ts";

/** What stands where a skill belongs. */
export type StandingSkill =
  | { readonly kind: "nothing" }
  | {
      readonly kind: "folder";
      /** As it is written on the disk. */
      readonly folder: string;
      readonly digest: string;
      readonly files: ReadonlyMap<string, string>;
      readonly contents: readonly FolderFile[];
    }
  /** A link, a file, or a folder that cannot be read as a skill. */
  | { readonly kind: "link" | "other"; readonly folder: string; readonly reason: string };

/**
 * Looks by the name as every file system would take it: case and Unicode form make no other folder.
 * `path` is relative to the root, with `/`; a link on the way to it is not followed.
 */
export async function standingSkill(scope: InstallScope, path: string): Promise<StandingSkill> {
  const segments = path.split("/");
  const name = foldName(segments.pop() ?? "");
  let above = "";
  for (const segment of segments) {
    const entry = childOf(join(scope.root, above), foldName(segment));
    if (entry?.isDirectory() !== true) return { kind: "nothing" };
    above += `${entry.name}/`;
  }
  const entry = childOf(join(scope.root, above), name);
  if (entry === undefined) return { kind: "nothing" };
  const folder = above + entry.name;
  if (entry.isSymbolicLink()) return { kind: "link", folder, reason: "it is a link" };
  if (!entry.isDirectory()) return { kind: "other", folder, reason: "it is no folder" };
  try {
    const contents = await readFolder(join(scope.root, folder));
    const files = contents.map(({ path, bytes }) => {
      return { path, sha256: createHash("sha256").update(bytes).digest("hex"), size: bytes.length };
    });
    const byPath = new Map(files.map(({ path, sha256 }) => [path, sha256] as const));
    return { kind: "folder", folder, digest: combineDigests(files), files: byPath, contents };
  } catch (error) {
    if (!SkillwrightError.isInstance(error)) throw error;
    return { kind: "other", folder, reason: error.message };
  }
}

/** The folder below the root that a key of the lock names; undefined for one of another root. */
export function folderOf(path: string, { base, root }: InstallScope): string | undefined {
  const prefix = root === base ? "" : `${lockPath({ base, root }, "")}/`;
  const folder = path.startsWith(prefix) ? path.slice(prefix.length) : "";
  return folderNameProblem(folder) === undefined ? folder : undefined;
}

/** The key of a skill in the lock. */
export function lockPath(
  { base, root }: Pick<InstallScope, "base" | "root">,
  folder: string,
): string {
  return relative(base, join(root, folder)).split(sep).join("/");
}

/** What begins with a dot is no skill. */
function childOf(folder: string, folded: string): Dirent | undefined {
  if (folded.startsWith(".")) return undefined;
  try {
    const children = readdirSync(folder, { withFileTypes: true });
    return children.find(({ name }) => foldName(name) === folded);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
