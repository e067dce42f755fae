import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import type { Skill } from "@modelcontextprotocol/server/ext/skills";
import { type SkillRecord } from "@skillwright/core";
import { type FileEntry, listFiles, type SkillFiles } from "@skillwright/core/internal";
import { skillUri } from "../../uri/skill-uri.ts";
import { mediaType } from "./media-type.ts";
import {
  MAX_BYTES,
  MAX_FILES,
  type PublishedFile,
  type PublishedSkill,
  SKILL_FILE,
} from "./published-skill.ts";
import { readSkillBytes } from "./read-skill-bytes.ts";
import { isSecretFile } from "./secret-files.ts";
import { servedSkillFile } from "./served-skill-file.ts";

export interface SkillPlace {
  readonly record: SkillRecord;
  readonly segments: readonly string[];
  readonly isListed: boolean;
  readonly files: SkillFiles;
  readonly stamp: string;
}

type Contents =
  | { readonly ok: true; readonly files: Map<string, PublishedFile>; readonly skillFile: string }
  | { readonly ok: false; readonly problem: string };

/** Reads all of a skill once, to say what its files are. Never throws for what a skill can be. */
export async function publishSkill(place: SkillPlace): Promise<PublishedSkill> {
  const { record, segments, isListed, stamp } = place;
  const uri = skillUri([...segments, SKILL_FILE]);
  const common = { record, segments, isListed, uri, stamp };
  const listed = await listFiles(place.files);
  if (!listed.ok) return unlisted(common, listed.message);
  const offered = listed.files.filter(({ path }) => !isSecretFile(path));
  const tooMuch = listed.truncated ? "it has more than 2,000 files" : excess(offered);
  if (tooMuch !== undefined) return publishDynamic(common, place.files, tooMuch);
  const contents = await readAll(offered, place);
  if (!contents.ok) return unlisted(common, contents.problem);
  const { files, skillFile } = contents;
  const served = await servedSkillFile(skillFile, record.name);
  const shape = { isDynamic: false, isRewritten: served.ok && served.isRewritten };
  if (!served.ok) return { ...common, ...shape, files, problem: served.problem };
  if (served.isRewritten) {
    files.set(SKILL_FILE, publishedFile(segments, SKILL_FILE, Buffer.from(served.text)));
  }
  const resources = Array.from(files.values(), ({ uri: at, digest, size }) => {
    return { uri: at, digest, size };
  });
  const entry: Skill = { uri, frontmatter: served.frontmatter, resources };
  return { ...common, ...shape, entry, files };
}

type Common = Omit<PublishedSkill, "entry" | "problem" | "files" | "isDynamic" | "isRewritten">;

function unlisted(common: Common, problem: string): PublishedSkill {
  return { ...common, problem, files: new Map(), isDynamic: false, isRewritten: false };
}

/** Hosts need not accept so much; without a list they read what they need, and know it is unchecked. */
async function publishDynamic(
  common: Common,
  files: SkillFiles,
  excessive: string,
): Promise<PublishedSkill> {
  const read = await readSkillBytes(files, SKILL_FILE, MAX_BYTES);
  if (!read.ok) return unlisted(common, `its ${SKILL_FILE} cannot be read: ${read.reason}`);
  const served = await servedSkillFile(read.bytes.toString(), common.record.name);
  const shape = { files: new Map(), isDynamic: true, isRewritten: served.ok && served.isRewritten };
  if (!served.ok) return { ...common, ...shape, problem: served.problem };
  const { frontmatter } = served;
  const entry: Skill = { uri: common.uri, frontmatter, resources: "dynamic" };
  const problem = `${excessive}; its files are offered without digests`;
  return { ...common, ...shape, entry, problem };
}

async function readAll(
  listed: readonly FileEntry[],
  { segments, files: source }: SkillPlace,
): Promise<Contents> {
  const files = new Map<string, PublishedFile>();
  let skillFile: string | undefined;
  for (const { path } of listed) {
    const read = await readSkillBytes(source, path, MAX_BYTES);
    if (!read.ok) return { ok: false, problem: `${path} cannot be read: ${read.reason}` };
    const { bytes } = read;
    const file = publishedFile(segments, path, bytes);
    if (path === SKILL_FILE && file.isText) skillFile = bytes.toString();
    files.set(path, file);
  }
  if (skillFile === undefined) return { ok: false, problem: `it has no ${SKILL_FILE} of text` };
  return { ok: true, files, skillFile };
}

function publishedFile(segments: readonly string[], path: string, bytes: Buffer): PublishedFile {
  const isText = isPlainText(bytes);
  return {
    path,
    uri: skillUri([...segments, ...path.split("/")]),
    digest: `sha256:${hash("sha256", bytes)}`,
    size: bytes.length,
    mimeType: mediaType(path, isText),
    isText,
  };
}

/** Text that comes back byte for byte; the rest travels as base64. */
export function isPlainText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0);
}

function excess(files: readonly FileEntry[]): string | undefined {
  if (files.length > MAX_FILES) return `it has ${files.length} files, ${MAX_FILES} can be listed`;
  const bytes = files.reduce((sum, { size = 0 }) => sum + size, 0);
  return bytes > MAX_BYTES ? `it has ${bytes} bytes, ${MAX_BYTES} can be listed` : undefined;
}
