import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** Bytes of all files below a folder; what vanishes meanwhile does not count. */
export async function folderSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  let bytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const stats = await lstat(join(entry.parentPath, entry.name)).catch(() => undefined);
    bytes += stats?.size ?? 0;
  }
  return bytes;
}
