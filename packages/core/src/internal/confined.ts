import {
  type BigIntStats,
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  type Stats,
} from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { READ_WITHOUT_FOLLOWING } from "../directory/open-flags.ts";
import { SkillwrightError } from "../skillwright-error.ts";

/** Times of files have steps; within one of them two changes look like one. */
const CLOCK_STEP_MILLISECONDS = 50;
/** A time this far ahead comes from the clock of another machine and says nothing here. */
const CLOCK_AHEAD_MILLISECONDS = 1000;

/** What the names on the way to a file stand for, from the skill's folder down. */
type FoldersOnTheWay = readonly BigIntStats[];

/**
 * Looks at each folder between a skill's folder and a file, as far as there are such and they may be
 * looked at; undefined when one of them is a link.
 */
export function inspectFolders(
  realDirectory: string,
  segments: readonly string[],
): FoldersOnTheWay | undefined {
  const folders: BigIntStats[] = [];
  let current = realDirectory;
  for (const segment of ["", ...segments.slice(0, -1)]) {
    current = join(current, segment);
    const stats = statsOf(current);
    if (stats === undefined) break;
    if (stats.isSymbolicLink()) return undefined;
    folders.push(stats);
  }
  return folders;
}

/**
 * True when no folder can have been swapped between two looks: to swap one changes the time of the
 * folder it lies in, which nobody can set back. A folder that changed just now could change again
 * within the same step of the clock, so it has to come to rest first. The last folder holds only
 * the file, and may change.
 */
function wereAtRest(
  before: FoldersOnTheWay,
  after: FoldersOnTheWay | undefined,
  now: number,
): boolean {
  if (after?.length !== before.length) return false;
  return before.every((folder, i) => {
    const same = after[i];
    if (same?.ino !== folder.ino || same.dev !== folder.dev) return false;
    if (i === before.length - 1) return true;
    return same.ctimeNs === folder.ctimeNs && isSettled(Number(folder.ctimeMs), now);
  });
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isSettled(changed: number, now: number): boolean {
  return changed < now - CLOCK_STEP_MILLISECONDS || changed > now + CLOCK_AHEAD_MILLISECONDS;
}

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

/**
 * The same, tried again while the file is being moved or swapped: an editor may replace a file at
 * any time. One that never comes to rest is `changing`.
 */
export async function openSettled(
  realDirectory: string,
  segments: readonly string[],
  options: ConfinedOptions = {},
): Promise<ConfinedFile> {
  let opened = openConfinedSync(realDirectory, segments, options);
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    if (opened.ok || opened.reason !== "changing") break;
    await setTimeout(opened.waitMilliseconds ?? 0);
    opened = openConfinedSync(realDirectory, segments, options);
  }
  return opened;
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
