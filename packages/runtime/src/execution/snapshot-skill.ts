import {
  combineDigests,
  type FileDigest,
  SkillwrightError,
  walkDirectory,
} from "@skillwright/core";
import { openSettled, readUpTo, writeNew } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { executionFailure, type ExecutionFailure } from "./execution-receipt.ts";
import type { ExecutedSkill } from "./execution-request.ts";
import type { Snapshot } from "./snapshot.ts";

const MAX_FILES = 2000;
const MAX_BYTES = 50 * 1024 * 1024;
/** Other work gets its turn after this many milliseconds. */
const SLICE_MS = 8;
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
    const bytes = await readConfined(root, path, left);
    if (bytes === undefined) return tooLarge(`more than ${MAX_BYTES} bytes`);
    left -= bytes.length;
    const file = join(target, path);
    if (!made.has(dirname(file))) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    made.add(dirname(file));
    writeNew(file, bytes, { mode: (mode & 0o100) === 0 ? 0o400 : 0o500 });
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
async function readConfined(
  root: string,
  path: string,
  limit: number,
): Promise<Buffer | undefined> {
  const opened = await openSettled(root, path.split("/"));
  if (!opened.ok) {
    const { reason, errorCode } = opened;
    if (reason === "not-a-file") throw refused(path, "is not a file");
    if (reason === "link") throw refused(path, "lies behind a link");
    throw refused(path, reason === "changing" ? "keeps changing" : `cannot be read: ${errorCode}`);
  }
  const { descriptor, stats } = opened;
  try {
    if (stats.size > limit) return undefined;
    const bytes = readUpTo(descriptor, stats.size + 1, stats.size);
    if (bytes.length > stats.size) throw refused(path, "changes while it is read");
    return bytes;
  } finally {
    closeSync(descriptor);
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
