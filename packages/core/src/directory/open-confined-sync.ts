import { closeSync, fstatSync, lstatSync, openSync, readlinkSync, type Stats } from "node:fs";
import { join } from "node:path";
import { CLOCK_STEP_MILLISECONDS, inspectFolders, wereAtRest } from "./open-confined-folders.ts";
import { READ_WITHOUT_FOLLOWING } from "./open-flags.ts";

export type ConfinedFile =
  | { readonly ok: true; readonly descriptor: number; readonly stats: Stats }
  | {
      readonly ok: false;
      /** `changing`: it was moved or swapped meanwhile; worth another try. */
      readonly reason: "changing" | "denied" | "link" | "missing" | "not-a-file" | "unreadable";
      /** What the system said. */
      readonly errorCode?: string;
      /** How long to wait before that other try. */
      readonly waitMilliseconds?: number;
    };

export interface ConfinedOptions {
  /** Where a descriptor leads; undefined on systems that do not tell. */
  readonly openedPath?: (descriptor: number) => string | undefined;
  readonly now?: () => number;
}

/** Darwin refuses a link anywhere in the path when told so; Node has no name for the flag. */
const NO_LINKS_ANYWHERE = process.platform === "darwin" ? 0x2000_0000 : 0;
const FLAGS = READ_WITHOUT_FOLLOWING | NO_LINKS_ANYWHERE;

/**
 * Opens a regular file below a folder for reading, as `openConfined` does, with few and synchronous
 * calls: a read of a small file is over before a thread of the pool would have begun. The caller
 * closes the descriptor. `realDirectory` must be a real path; no segment may be empty, `.` or `..`.
 */
export function openConfinedSync(
  realDirectory: string,
  segments: readonly string[],
  { openedPath = pathOfDescriptor, now = Date.now }: ConfinedOptions = {},
): ConfinedFile {
  const started = now();
  const folders = inspectFolders(realDirectory, segments);
  if (folders === undefined) return { ok: false, reason: "link" };
  const file = join(realDirectory, ...segments);
  let descriptor: number;
  try {
    descriptor = openSync(file, FLAGS);
  } catch (error) {
    // What the system says about a place outside is nobody's business here.
    return inspectFolders(realDirectory, segments) === undefined
      ? { ok: false, reason: "link" }
      : refusal(error);
  }
  const checked = check(descriptor);
  if (!checked.ok) closeSync(descriptor);
  return checked;

  /** What was opened is looked at, not what was named. */
  function check(descriptor: number): ConfinedFile {
    const opened = openedPath(descriptor);
    if (opened !== undefined && opened !== file) return misled(opened);
    const stats = fstatSync(descriptor);
    if (opened === undefined) {
      const named = lstatSync(file, { throwIfNoEntry: false });
      if (named?.ino !== stats.ino || named.dev !== stats.dev) return misled(opened);
      const after = inspectFolders(realDirectory, segments);
      if (folders?.length !== segments.length) return misled(opened);
      if (!wereAtRest(folders, after, started)) return misled(opened);
    }
    return stats.isFile() ? { ok: true, descriptor, stats } : { ok: false, reason: "not-a-file" };
  }

  function misled(opened: string | undefined): ConfinedFile {
    const isLink =
      inspectFolders(realDirectory, segments) === undefined ||
      lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    if (isLink) return { ok: false, reason: "link" };
    const waitMilliseconds = opened === undefined ? CLOCK_STEP_MILLISECONDS + 10 : 0;
    return { ok: false, reason: "changing", waitMilliseconds };
  }
}

/** What the kernel says was opened; undefined on systems without `/proc`. */
export function pathOfDescriptor(descriptor: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
}

const REASONS: Readonly<Record<string, "denied" | "link" | "missing" | "not-a-file">> = {
  EACCES: "denied",
  EPERM: "denied",
  ELOOP: "link",
  EMLINK: "link",
  ENOENT: "missing",
  ENOTDIR: "missing",
  ENAMETOOLONG: "missing",
  // A socket, or a device without a driver.
  ENXIO: "not-a-file",
  ENODEV: "not-a-file",
  EOPNOTSUPP: "not-a-file",
};

function refusal(error: unknown): ConfinedFile {
  const errorCode = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  return { ok: false, reason: REASONS[errorCode] ?? "unreadable", errorCode };
}
