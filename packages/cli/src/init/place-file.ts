import { randomBytes } from "node:crypto";
import { link, lstat, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "./make-folder.ts";

/** Puts a new file in place all at once; false when something stands there by now. */
export async function placeFile(path: string, text: string): Promise<boolean> {
  return withTemporary(path, text, 0o666, async (temporary) => {
    try {
      // Unlike a rename, a link never replaces what is there.
      await link(temporary, path);
      return true;
    } catch (error) {
      if (isCode(error, "EEXIST")) return false;
      if (!CANNOT_LINK.some((code) => isCode(error, code))) throw error;
      if ((await lstat(path).catch(() => undefined)) !== undefined) return false;
      await rename(temporary, path);
      return true;
    }
  });
}

/** Replaces a file all at once, and keeps its mode. */
export async function replaceFile(path: string, content: Uint8Array): Promise<void> {
  const { mode } = await lstat(path);
  await withTemporary(path, content, mode & 0o777, (temporary) => rename(temporary, path));
}

/** File systems without hard links. */
const CANNOT_LINK = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

async function withTemporary<Result>(
  path: string,
  content: string | Uint8Array,
  mode: number,
  use: (temporary: string) => Promise<Result>,
): Promise<Result> {
  await makeFolder(dirname(path));
  const temporary = join(dirname(path), `.init-${randomBytes(6).toString("hex")}`);
  try {
    await writeFile(temporary, content, { flag: "wx", mode });
    return await use(temporary);
  } finally {
    await rm(temporary, { force: true });
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
