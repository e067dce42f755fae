import { SkillwrightError } from "@skillwright/core";
import {
  combineDigests,
  type FileDigest,
  walkDirectory,
  copyFiles,
  errorCode,
} from "@skillwright/core/internal";
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
    return await copySkill(skill, directory, wanted);
  } catch (error) {
    if (SkillwrightError.isInstance(error)) {
      return executionFailure("skill-unreadable", error.message);
    }
    const code = errorCode(error);
    if (code === undefined) throw error;
    const message = `the skill ${JSON.stringify(skill.name)} cannot be copied: ${code}`;
    return executionFailure("skill-unreadable", message);
  }
}

async function copySkill(
  skill: ExecutedSkill,
  directory: string,
  wanted: readonly string[],
): Promise<Snapshot | ExecutionFailure> {
  const refuse = (path: string, why: string) =>
    executionFailure("skill-unreadable", `${JSON.stringify(path)} ${why}; such a skill is not run`);
  const { entries, truncated, unreadable } = await walkDirectory(skill.path, {
    maxEntries: 2 * MAX_FILES,
  });
  if (unreadable[0] !== undefined) return refuse(unreadable[0], "cannot be read");
  if (truncated || entries.length > MAX_FILES) return tooLarge(`more than ${MAX_FILES} files`);
  for (const { path, kind } of entries) {
    if (kind !== "file") return refuse(path, kind === "link" ? "is a link" : "is not a file");
    if (UNSAFE_PATH.test(path)) return refuse(path, "has a name that is not allowed");
  }
  const digests: FileDigest[] = [];
  const contents = new Map<string, Buffer>();
  const copied = await copyFiles(realpathSync(skill.path), entries, directory, {
    maxBytes: MAX_BYTES,
    mode: (mode) => ((mode & 0o100) === 0 ? 0o400 : 0o500),
    onFile(path, bytes) {
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      digests.push({ path, sha256, size: bytes.length });
      if (wanted.includes(path)) contents.set(path, bytes);
    },
  });
  if (!copied.ok) {
    const { path, reason, errorCode: code } = copied;
    if (reason === "too-large") return tooLarge(`more than ${MAX_BYTES} bytes`);
    return refuse(path, PROBLEMS[reason] ?? `cannot be read: ${code}`);
  }
  const digest = combineDigests(digests);
  if (skill.digest !== undefined && skill.digest !== digest) return changedSkill(skill, digest);
  const files = new Set(digests.map(({ path }) => path));
  return { ok: true, directory, digest, files, contents };
}

const PROBLEMS: Readonly<Record<string, string>> = {
  "not-a-file": "is not a file",
  link: "lies behind a link",
  changing: "changes while it is read",
};

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
