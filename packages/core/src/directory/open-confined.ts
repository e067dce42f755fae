import { type FileHandle, lstat, open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { SkillwrightError } from "../skillwright-error.ts";
import { CLOCK_STEP_MILLISECONDS, inspectFolders, wereAtRest } from "./open-confined-folders.ts";
import { pathOfDescriptor } from "./open-confined-sync.ts";
import { READ_WITHOUT_FOLLOWING } from "./open-flags.ts";

const ATTEMPTS = 4;

/**
 * Opens a regular file below a folder for reading. Nothing on the way may be a link, and what is
 * checked is the file that was opened, not the name it had before: a folder swapped for a link in
 * between is noticed. `realDirectory` must be a real path; `path` is relative and uses `/`.
 */
export async function openConfined(
  realDirectory: string,
  path: string,
  openedPath = pathOfDescriptor,
): Promise<FileHandle> {
  const segments = path.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    throw new SkillwrightError("path-unsafe", `the path ${JSON.stringify(path)} is not allowed`);
  }
  const expected = join(realDirectory, ...segments);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const started = Date.now();
    const folders = inspectFolders(realDirectory, segments);
    if (folders === undefined) break;
    const handle = await openWithoutFollowing(expected, path);
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw unreadable(path, "it is not a regular file");
      const opened = openedPath(handle.fd);
      if (opened === expected) return handle;
      if (opened !== undefined) throw linkRefused(path);
      // The system does not tell: the name must lead to the open file, and nothing have moved.
      const named = await lstat(expected).catch(() => undefined);
      const same = named?.ino === stats.ino && named.dev === stats.dev;
      const after = inspectFolders(realDirectory, segments);
      if (same && wereAtRest(folders, after, started)) return handle;
    } catch (error) {
      await handle.close();
      throw error;
    }
    await handle.close();
    await setTimeout(CLOCK_STEP_MILLISECONDS + 10);
  }
  throw linkRefused(path);
}

async function openWithoutFollowing(file: string, path: string): Promise<FileHandle> {
  try {
    return await open(file, READ_WITHOUT_FOLLOWING);
  } catch (cause) {
    if (errorCode(cause) === "ELOOP") throw linkRefused(path);
    throw unreadable(path, errorCode(cause) ?? "unknown reason", cause);
  }
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
