import {
  combineDigests,
  type FileDigest,
  SkillwrightError,
  walkDirectory,
} from "@skillwright/core";
import { copyFiles } from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import {
  type ExecutedSkill,
  executionFailure,
  type ExecutionFailure,
  type Snapshot,
} from "./executor.ts";

const MAX_FILES = 2000;
const MAX_BYTES = 50 * 1024 * 1024;
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
    const files = await copySkill(skill.path, directory, (path, bytes) => {
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

async function copySkill(
  source: string,
  target: string,
  onCopy: (path: string, bytes: Buffer) => void,
): Promise<readonly FileDigest[] | ExecutionFailure> {
  const { entries, truncated, unreadable } = await walkDirectory(source, {
    maxEntries: 2 * MAX_FILES,
  });
  if (unreadable[0] !== undefined) throw refused(unreadable[0], "cannot be read");
  if (truncated || entries.length > MAX_FILES) return tooLarge(`more than ${MAX_FILES} files`);
  for (const { path, kind } of entries) {
    if (kind !== "file") throw refused(path, kind === "link" ? "is a link" : "is not a file");
    if (UNSAFE_PATH.test(path)) throw refused(path, "has a name that is not allowed");
  }
  const digests: FileDigest[] = [];
  const copied = await copyFiles(realpathSync(source), entries, target, {
    maxBytes: MAX_BYTES,
    mode: (mode) => ((mode & 0o100) === 0 ? 0o400 : 0o500),
    onFile(path, bytes) {
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      digests.push({ path, sha256, size: bytes.length });
      onCopy(path, bytes);
    },
  });
  if (copied.ok) return digests;
  const { path, reason, errorCode } = copied;
  if (reason === "too-large") return tooLarge(`more than ${MAX_BYTES} bytes`);
  throw refused(path, PROBLEMS[reason] ?? `cannot be read: ${errorCode}`);
}

const PROBLEMS: Readonly<Record<string, string>> = {
  "not-a-file": "is not a file",
  link: "lies behind a link",
  changing: "changes while it is read",
};

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
