import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { release } from "node:os";

/** From absolute places only: what a project has on the PATH is not asked. */
const PROGRAMS = ["/usr/bin/sync", "/bin/sync"];
/** Somebody may be writing gigabytes to the same disk, and all of it is waited for. */
const PATIENCE_MS = 10_000;

/**
 * Asks the kernel to write everything that the file system of this folder holds back (`syncfs`),
 * which Node can only do through `sync -f`. It waits for the data and the file system's journal, and
 * since Linux 5.8 it reports data that could not be written. False when that cannot be had or takes
 * too long: then each file must be synced by itself.
 */
export async function syncFileSystem(folder: string, signal?: AbortSignal): Promise<boolean> {
  if (process.platform !== "linux" || !isReporting(release())) return false;
  const program = PROGRAMS.find((path) => existsSync(path));
  if (program === undefined) return false;
  const options = {
    env: {},
    cwd: "/",
    timeout: PATIENCE_MS,
    killSignal: "SIGKILL",
    ...(signal !== undefined && { signal }),
  } as const;
  const isSynced = await new Promise<boolean>((resolve) => {
    execFile(program, ["-f", "--", folder], options, (error) => resolve(error === null));
  });
  signal?.throwIfAborted();
  return isSynced;
}

function isReporting(kernel: string): boolean {
  const [major = 0, minor = 0] = kernel.split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 8);
}
