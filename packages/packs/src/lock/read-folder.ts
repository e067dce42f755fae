import { closeSync, realpathSync } from "node:fs";
import { SkillwrightError } from "@skillwright/core";
import { openSettled, readUpTo, walkDirectory } from "@skillwright/core/internal";

export interface FolderFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

export interface ReadFolderOptions {
  /** Names of folders that are left out. */
  readonly skip?: ReadonlySet<string>;
  /** Of all files together. */
  readonly maxBytes?: number;
}

/**
 * The files of a folder with their content, in byte order of the paths. Throws a `SkillwrightError`
 * for a link, for what cannot be read, and for more than `maxBytes`.
 */
export async function readFolder(
  directory: string,
  { skip, maxBytes = 64 * 1024 * 1024 }: ReadFolderOptions = {},
): Promise<FolderFile[]> {
  const root = realRoot(directory);
  const walked = await walkDirectory(root, skip === undefined ? {} : { skip });
  const [unreadable] = walked.unreadable;
  if (unreadable !== undefined) throw refused("directory-unreadable", unreadable, "denied");
  if (walked.truncated) throw refused("path-unsafe", directory, "nested too deep");
  const files: FolderFile[] = [];
  let total = 0;
  for (const { path, mode } of walked.entries) {
    const bytes = await readWhole(root, path, maxBytes - total);
    total += bytes.length;
    files.push({ path, bytes, executable: (mode & 0o100) !== 0 });
  }
  return files;
}

function realRoot(directory: string): string {
  try {
    return realpathSync.native(directory);
  } catch (cause) {
    const message = `the folder ${JSON.stringify(directory)} cannot be read`;
    throw new SkillwrightError("directory-unreadable", message, { cause });
  }
}

async function readWhole(root: string, path: string, maxBytes: number): Promise<Buffer> {
  const opened = await openSettled(root, path.split("/"));
  if (!opened.ok) {
    const code = opened.reason === "link" ? "link-refused" : "file-unreadable";
    throw refused(code, path, opened.reason);
  }
  try {
    const bytes = readUpTo(opened.descriptor, maxBytes + 1, opened.stats.size);
    if (bytes.length > maxBytes) throw refused("file-unreadable", path, "too large");
    return bytes;
  } finally {
    closeSync(opened.descriptor);
  }
}

function refused(
  code: "directory-unreadable" | "file-unreadable" | "link-refused" | "path-unsafe",
  path: string,
  reason: string,
): SkillwrightError {
  return new SkillwrightError(code, `${JSON.stringify(path)} cannot be read: ${reason}`);
}
