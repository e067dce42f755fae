import { hash } from "node:crypto";
import { dirname } from "node:path/posix";
import { type Failure, type Skills } from "@skillwright/core";
import { listFiles, type SkillFiles } from "@skillwright/core/internal";
import { isSecretFile } from "./secret-files.ts";
import { mediaType } from "./media-type.ts";
import { isPlainText } from "./publish-skill.ts";
import { MAX_BYTES, type PublishedSkill, SKILL_FILE } from "./published-skill.ts";
import { readSkillBytes, type SkillBytes } from "./read-skill-bytes.ts";
import { servedSkillFile } from "./served-skill-file.ts";

interface ReadFile {
  readonly ok: true;
  readonly bytes: Buffer;
  readonly isText: boolean;
  readonly mimeType: string;
  readonly digest: string;
}

export type ReadPublished =
  | ReadFile
  | Failure<"file-not-found" | "file-changed" | "skill-unusable">;

/**
 * A file of a skill, if it is still what the skill's entry says: the size, the digest, and a skill that
 * is trusted at the end of the read as it was at its beginning.
 */
export async function readPublished(
  skills: Skills,
  skill: PublishedSkill,
  path: string,
): Promise<ReadPublished> {
  const { record } = skill;
  const files = filesOf(skills, skill);
  const expected = skill.files.get(path);
  if (expected === undefined && !(skill.isDynamic && (await isOffered(files, path)))) {
    return { ok: false, code: "file-not-found", message: "there is no such file" };
  }
  const read = await readServed(files, skill, path);
  if (!read.ok && expected === undefined) {
    return { ok: false, code: "file-not-found", message: `it cannot be read: ${read.reason}` };
  }
  const digest = read.ok ? `sha256:${hash("sha256", read.bytes)}` : undefined;
  if (!read.ok || (expected !== undefined && digest !== expected.digest)) {
    return {
      ok: false,
      code: "file-changed",
      message: "it has changed since the skill was listed; list the skills again",
    };
  }
  if (!(await skills.isStillTrusted(record))) {
    const message = `the skill ${record.name} has changed since it was trusted`;
    return { ok: false, code: "skill-unusable", message };
  }
  const { bytes } = read;
  const isText = expected?.isText ?? isPlainText(bytes);
  const mimeType = expected?.mimeType ?? mediaType(path, isText);
  return { ok: true, bytes, isText, mimeType, digest: digest ?? "" };
}

/** The bytes as they are served. */
async function readServed(
  files: SkillFiles,
  { record, files: published, isRewritten }: PublishedSkill,
  path: string,
): Promise<SkillBytes> {
  if (!isRewritten || path !== SKILL_FILE) {
    return readSkillBytes(files, path, published.get(path)?.size ?? MAX_BYTES);
  }
  const read = await readSkillBytes(files, path, MAX_BYTES);
  if (!read.ok) return read;
  const served = await servedSkillFile(read.bytes.toString(), record.name);
  return served.ok
    ? { ok: true, bytes: Buffer.from(served.text) }
    : { ok: false, reason: served.problem };
}

export function filesOf(skills: Skills, { record }: PublishedSkill): SkillFiles {
  const inline = skills.inlineSkill(record);
  return inline === undefined ? { directory: record.path } : { inline };
}

/** Core says which files of a folder may be read. */
async function isOffered(files: SkillFiles, path: string): Promise<boolean> {
  if (path === "" || isSecretFile(path)) return false;
  // It was read to publish the skill; the list of a large folder may end before it.
  if (path === SKILL_FILE) return true;
  const listed = await listFiles(files, { under: dirname(path) });
  return listed.ok && listed.files.some((file) => file.path === path);
}
