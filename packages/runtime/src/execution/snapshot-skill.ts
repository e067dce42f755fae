import {
  combineDigests,
  type FileDigest,
  SkillwrightError,
  walkDirectory,
} from "@skillwright/core";
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { executionFailure, type ExecutionFailure } from "./execution-receipt.ts";
import type { ExecutedSkill } from "./execution-request.ts";
import type { Snapshot } from "./snapshot.ts";

const MAX_FILES = 2000;
const MAX_BYTES = 50 * 1024 * 1024;
/** Other work gets its turn after this many milliseconds. */
const SLICE_MS = 8;
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNSAFE_PATH = /[\u0000-\u001f\u007f-\u009f\uFFFD]/;

/**
 * Copies a skill to a private folder. The digest is that of the bytes which were copied, so what
 * runs is what it names, whatever happens to the skill meanwhile.
 */
export async function snapshotSkill(
  skill: ExecutedSkill,
  directory: string,
  wanted: readonly string[] = [],
): Promise<Snapshot | ExecutionFailure> {
  try {
    const contents = new Map<string, Buffer>();
    const files = await copyFiles(skill.path, directory, (path, bytes) => {
      if (wanted.includes(path)) contents.set(path, bytes);
    });
    if ("ok" in files) return files;
    const digest = combineDigests(files);
    if (skill.digest !== undefined && skill.digest !== digest) return changedSkill(skill, digest);
    const paths = new Set(files.map(({ path }) => path));
    return { ok: true, directory, digest, files: paths, contents };
  } catch (error) {
    if (SkillwrightError.isInstance(error)) {
      return executionFailure("skill-unreadable", error.message);
    }
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    const message = `the skill ${JSON.stringify(skill.name)} cannot be copied: ${code}`;
    return executionFailure("skill-unreadable", message);
  }
}

async function copyFiles(
  source: string,
  target: string,
  onCopy: (path: string, bytes: Buffer) => void,
): Promise<readonly FileDigest[] | ExecutionFailure> {
  const { entries, truncated, unreadable } = await walkDirectory(source, {
    maxEntries: 2 * MAX_FILES,
  });
  if (unreadable[0] !== undefined) throw refused(unreadable[0], "cannot be read");
  if (truncated || entries.length > MAX_FILES) return tooLarge(`more than ${MAX_FILES} files`);
  const root = realpathSync(source);
  const made = new Set<string>();
  const digests: FileDigest[] = [];
  let left = MAX_BYTES;
  let started = performance.now();
  for (const { path, kind, mode } of entries) {
    if (kind !== "file") throw refused(path, kind === "link" ? "is a link" : "is not a file");
    if (UNSAFE_PATH.test(path)) throw refused(path, "has a name that is not allowed");
    const bytes = readConfined(root, path, left);
    if (bytes === undefined) return tooLarge(`more than ${MAX_BYTES} bytes`);
    left -= bytes.length;
    const file = join(target, path);
    if (!made.has(dirname(file))) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    made.add(dirname(file));
    writeFileSync(file, bytes, { mode: (mode & 0o100) === 0 ? 0o400 : 0o500, flag: "wx" });
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    digests.push({ path, sha256, size: bytes.length });
    onCopy(path, bytes);
    if (performance.now() - started > SLICE_MS) {
      await setImmediate();
      started = performance.now();
    }
  }
  if (made.size === 0) mkdirSync(target, { mode: 0o700 });
  return digests;
}

/** The bytes of the file that was opened; undefined when there are more than `limit`. */
function readConfined(root: string, path: string, limit: number): Buffer | undefined {
  const file = join(root, path);
  const descriptor = openSync(file, READ);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw refused(path, "is not a file");
    if (!isInPlace(descriptor, file, stats)) throw refused(path, "lies behind a link");
    if (stats.size > limit) return undefined;
    const bytes = Buffer.allocUnsafe(stats.size + 1);
    let size = 0;
    for (let read = 1; read > 0 && size < bytes.length; size += read) {
      read = readSync(descriptor, bytes, size, bytes.length - size, null);
    }
    if (size > stats.size) throw refused(path, "changes while it is read");
    return bytes.subarray(0, size);
  } finally {
    closeSync(descriptor);
  }
}

/** Whether what was opened is what the name stands for, with no link on the way. */
function isInPlace(
  descriptor: number,
  file: string,
  { ino, dev }: { readonly ino: number; readonly dev: number },
): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`) === file;
  } catch {
    // Without /proc, the real path must be the name and still lead to the open file.
    const named = lstatSync(file, { throwIfNoEntry: false });
    return realpathSync(file) === file && named?.ino === ino && named.dev === dev;
  }
}

function refused(path: string, why: string): SkillwrightError {
  const message = `${JSON.stringify(path)} ${why}; such a skill is not run`;
  return new SkillwrightError("file-unreadable", message);
}

function tooLarge(why: string): ExecutionFailure {
  return executionFailure("skill-too-large", `the skill has ${why}; such a skill is not run`);
}

/** What was approved is not what is there. */
export function changedSkill(skill: ExecutedSkill, digest: string): ExecutionFailure {
  return executionFailure(
    "digest-mismatch",
    `the skill ${JSON.stringify(skill.name)} is not the one that was approved: it has the digest ${digest}, approved is ${skill.digest}`,
    "Look at what changed, and approve it again.",
  );
}
