import {
  type BigIntStats,
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { SkillwrightError } from "../skillwright-error.ts";
import { READ_FLAGS } from "./files.ts";

/** File times have steps; two changes within one step look like one. */
const CLOCK_STEP_MILLISECONDS = 50;
/** A time this far ahead comes from another machine's clock and says nothing here. */
const CLOCK_AHEAD_MILLISECONDS = 1000;

/** The folders on the way to a file, from the given one down. */
type FoldersOnTheWay = readonly BigIntStats[];

/** Each folder on the way to a file, as far as it exists and may be read; undefined if one is a link. */
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
 * True when no folder can have been swapped between two looks: swapping one changes the ctime of its
 * parent, which cannot be set back. A folder that changed just now could change again within the same
 * step of the clock, so it has to come to rest first. The last folder holds only the file and may change.
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
const FLAGS = READ_FLAGS | NO_LINKS_ANYWHERE;

/**
 * Opens a regular file below a folder for reading. Nothing on the way may be a link, and what is
 * checked is the file that was opened, not the name it had before: a folder swapped for a link in
 * between is noticed. The calls are few and synchronous: a small file is read before a thread of the
 * pool would have begun. The caller closes the descriptor. `realDirectory` must be a real path; no
 * segment may be empty, `.` or `..`.
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
    // What the system says about a place outside must not be disclosed.
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

const ATTEMPTS = 4;

/** Tries again while the file is being replaced, as editors do; one that never settles is given up. */
export async function openSettled(
  realDirectory: string,
  segments: readonly string[],
  options: ConfinedOptions = {},
): Promise<ConfinedFile> {
  let opened = openConfinedSync(realDirectory, segments, options);
  for (let i = 1; i < ATTEMPTS && !opened.ok && opened.reason === "changing"; i++) {
    if (opened.waitMilliseconds) await setTimeout(opened.waitMilliseconds);
    opened = openConfinedSync(realDirectory, segments, options);
  }
  return opened;
}

/** The same for a relative path with `/`, throwing a `SkillwrightError` for what cannot be opened. */
export async function openConfined(
  realDirectory: string,
  path: string,
  options: ConfinedOptions = {},
): Promise<{ readonly descriptor: number; readonly stats: Stats }> {
  const segments = path.split("/");
  const name = JSON.stringify(path);
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    throw new SkillwrightError("path-unsafe", `the path ${name} is not allowed`);
  }
  const opened = await openSettled(realDirectory, segments, options);
  if (opened.ok) return opened;
  if (opened.reason === "link" || opened.reason === "changing") {
    const message = `${name} is a link or lies behind one; links inside a skill are refused`;
    throw new SkillwrightError("link-refused", message);
  }
  const reason =
    opened.reason === "not-a-file"
      ? "it is not a regular file"
      : (opened.errorCode ?? opened.reason);
  throw new SkillwrightError("file-unreadable", `${name} cannot be read: ${reason}`);
}
