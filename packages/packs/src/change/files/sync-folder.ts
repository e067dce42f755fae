import { closeSync, fsyncSync, openSync } from "node:fs";

/** The names in a folder reach the disk. Windows has no such call and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
