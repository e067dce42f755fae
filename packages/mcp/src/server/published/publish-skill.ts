import { isUtf8 } from "node:buffer";
import { hash } from "node:crypto";
import type { Skill, SkillFrontmatter } from "@modelcontextprotocol/server/ext/skills";
import { type FileEntry, listFiles, type SkillFiles, type SkillRecord } from "@skillwright/core";
import { skillUri } from "../../uri/skill-uri.ts";
import { entryProblem } from "./entry-problem.ts";
import { mediaType } from "./media-type.ts";
import {
  MAX_BYTES,
  MAX_FILES,
  type PublishedFile,
  type PublishedSkill,
  SKILL_FILE,
} from "./published-skill.ts";
import { readSkillBytes } from "./read-skill-bytes.ts";
import { isSecretFile } from "./is-secret-file.ts";
import { type Frontmatter, verbatimFrontmatter } from "./verbatim-frontmatter.ts";

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
  const head = checkedFrontmatter(skillFile, record.name);
  if (!head.ok) return { ...common, files, problem: head.problem, isDynamic: false };
  const resources = Array.from(files.values(), ({ uri: at, digest, size }) => {
    return { uri: at, digest, size };
  });
  const entry: Skill = { uri, frontmatter: head.frontmatter, resources };
  return { ...common, entry, files, isDynamic: false };
}

type Common = Omit<PublishedSkill, "entry" | "problem" | "files" | "isDynamic">;

function unlisted(common: Common, problem: string): PublishedSkill {
  return { ...common, problem, files: new Map(), isDynamic: false };
}

/** Hosts need not accept so much; without a list they read what they need, and know it is unchecked. */
async function publishDynamic(
  common: Common,
  files: SkillFiles,
  excessive: string,
): Promise<PublishedSkill> {
  const read = await readSkillBytes(files, SKILL_FILE, MAX_BYTES);
  if (!read.ok) return unlisted(common, `its ${SKILL_FILE} cannot be read: ${read.reason}`);
  const head = checkedFrontmatter(read.bytes.toString(), common.record.name);
  if (!head.ok) return { ...common, files: new Map(), problem: head.problem, isDynamic: true };
  const { frontmatter } = head;
  const entry: Skill = { uri: common.uri, frontmatter, resources: "dynamic" };
  const problem = `${excessive}; its files are offered without digests`;
  return { ...common, entry, problem, files: new Map(), isDynamic: true };
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
    const isText = isPlainText(bytes);
    if (path === SKILL_FILE && isText) skillFile = bytes.toString();
    files.set(path, {
      path,
      uri: skillUri([...segments, ...path.split("/")]),
      digest: `sha256:${hash("sha256", bytes)}`,
      size: bytes.length,
      mimeType: mediaType(path, isText),
      isText,
    });
  }
  if (skillFile === undefined) return { ok: false, problem: `it has no ${SKILL_FILE} of text` };
  return { ok: true, files, skillFile };
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

type Head =
  | { readonly ok: true; readonly frontmatter: SkillFrontmatter }
  | { readonly ok: false; readonly problem: string };

function checkedFrontmatter(skillFile: string, name: string): Head {
  const frontmatter = verbatimFrontmatter(skillFile);
  if (frontmatter === undefined) {
    return { ok: false, problem: "its frontmatter can be read only with a repair" };
  }
  const problem = entryProblem(frontmatter, name);
  return problem === undefined
    ? { ok: true, frontmatter: asEntry(frontmatter) }
    : { ok: false, problem };
}

/** It has a name and a description, as was checked. */
function asEntry(frontmatter: Frontmatter): SkillFrontmatter {
  return frontmatter as SkillFrontmatter;
}
