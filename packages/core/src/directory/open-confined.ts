import { type FileHandle, lstat, open, readlink } from "node:fs/promises";
import { join } from "node:path";
import { SkillwrightError } from "../skillwright-error.ts";
import { READ_WITHOUT_FOLLOWING } from "./open-flags.ts";

/**
 * Opens a regular file below a folder for reading. Nothing on the way may be a link, and what is
 * checked is the file that was opened, not the name it had before: a folder swapped for a link in
 * between is noticed. `realDirectory` must be a real path; `path` is relative and uses `/`.
 */
export async function openConfined(realDirectory: string, path: string): Promise<FileHandle> {
  const segments = path.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    throw new SkillwrightError("path-unsafe", `the path ${JSON.stringify(path)} is not allowed`);
  }
  const expected = join(realDirectory, ...segments);
  const handle = await openWithoutFollowing(expected, path);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw unreadable(path, "it is not a regular file");
    const opened = await openedPath(handle.fd);
    if (opened === undefined) await checkAncestors(realDirectory, path, stats);
    else if (opened !== expected) throw linkRefused(path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openWithoutFollowing(file: string, path: string): Promise<FileHandle> {
  try {
    return await open(file, READ_WITHOUT_FOLLOWING);
  } catch (cause) {
    if (errorCode(cause) === "ELOOP") throw linkRefused(path);
    throw unreadable(path, errorCode(cause) ?? "unknown reason", cause);
  }
}

/** What the kernel says was opened; undefined on systems without `/proc`. */
async function openedPath(fd: number): Promise<string | undefined> {
  return readlink(`/proc/self/fd/${fd}`).catch(() => undefined);
}

/** Without `/proc`: no part of the path is a link, and the name still leads to the open file. */
async function checkAncestors(
  realDirectory: string,
  path: string,
  opened: { dev: number; ino: number },
): Promise<void> {
  let current = realDirectory;
  let last = opened;
  for (const segment of path.split("/")) {
    current = join(current, segment);
    const stats = await lstat(current).catch((cause: unknown) => {
      throw unreadable(path, errorCode(cause) ?? "unknown reason", cause);
    });
    if (stats.isSymbolicLink()) throw linkRefused(path);
    last = stats;
  }
  if (last.dev !== opened.dev || last.ino !== opened.ino) throw linkRefused(path);
}

function linkRefused(path: string): SkillwrightError {
  const message = `${JSON.stringify(path)} is a link or lies behind one; links inside a skill are refused`;
  return new SkillwrightError("link-refused", message);
}

function unreadable(path: string, reason: string, cause?: unknown): SkillwrightError {
  const message = `${JSON.stringify(path)} cannot be read: ${reason}`;
  return new SkillwrightError("file-unreadable", message, { cause });
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
