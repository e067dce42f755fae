import {
  type BigIntStats,
  type Dirent,
  lstatSync,
  opendirSync,
  readdirSync,
  realpathSync,
  statSync,
} from "node:fs";
import {
  combineDigests,
  fileDigests,
  readSkillFile,
  SKILL_FILE,
  isListed,
} from "../directory/skill-files.ts";
import { SKIPPED_FOLDERS } from "../directory/skill-directory.ts";
import type { Failure } from "../failure.ts";
import { parseSkill } from "../format/parse-skill.ts";
import { fileStamp, crypto } from "../internal/files.ts";
import type { SkillRecord } from "../registry/skill-record.ts";
import { SkillwrightError } from "../skillwright-error.ts";
import type { InlineSkill } from "../sources/skill-source.ts";

/** What lies in a skill's folder, as far as it is looked at. */
interface Listing {
  /** What a model can ask for, in byte order of the paths, SKILL.md left out. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Differs when any file does. */
  readonly stamp: string;
  /** The same without SKILL.md and without folders of tools such as `.git`. */
  readonly ownStamp: string;
  /** So recent that the next change might leave the same stamp. */
  readonly racy: boolean;
  /** In bytes, of all files. */
  readonly size: number;
  /** There is more than was looked at. */
  readonly truncated: boolean;
  /** There is more among the files that a model can ask for. */
  readonly moreFiles: boolean;
}

const MAX_ENTRIES = 2000;
/** The size of a folder grows with its entries on nearly all file systems, by 20 bytes or more each. */
const LARGE_FOLDER_BYTES = 1024 * 1024;

interface Folder {
  readonly path: string;
  readonly isOwn: boolean;
}

/**
 * All regular files with what tells that they changed. Synchronous: a folder or two, in the cache.
 * Folders of tools come last, so that they do not take the place of the skill's own files.
 */
function listStamps(root: string): Listing {
  const now = BigInt(Date.now()) * 1_000_000n;
  const files: { path: string; size: number }[] = [];
  const ownStamps: string[] = [];
  const otherStamps: string[] = [];
  const folders: Folder[] = [{ path: "", isOwn: true }];
  let seen = 0;
  let size = 0;
  let racy = false;
  let stopped: Folder | undefined;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const { path: parent, isOwn } = folder;
    const complete = eachChild(`${root}/${parent}`, parent === "", (child) => {
      if (++seen > MAX_ENTRIES) return false;
      const path = parent === "" ? child.name : `${parent}/${child.name}`;
      if (child.isDirectory()) {
        const isTool = SKIPPED_FOLDERS.has(child.name);
        if (isOwn && !isTool) folders.push({ path, isOwn });
        else folders.unshift({ path, isOwn: false });
        return true;
      }
      const stats = statsOf(`${root}/${path}`);
      if (stats === undefined) return true;
      const { stamp, racy: isRacy } = fileStamp(stats, now);
      const isSkillFile = path === SKILL_FILE;
      (isOwn && !isSkillFile ? ownStamps : otherStamps).push(`${path}\0${stamp}`);
      racy ||= isRacy;
      size += Number(stats.size);
      if (isOwn && !isSkillFile && child.isFile() && stats.nlink === 1n && isListed(path)) {
        files.push({ path, size: Number(stats.size) });
      }
      return true;
    });
    if (!complete) {
      stopped = folder;
      break;
    }
  }
  files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  const ownStamp = ownStamps.sort().join("\n");
  return {
    files,
    stamp: `${otherStamps.sort().join("\n")}\n${ownStamp}`,
    ownStamp,
    racy,
    size,
    truncated: stopped !== undefined,
    moreFiles: stopped?.isOwn ?? false,
  };
}

/** False when the visitor wants no more. A folder below that cannot be read is one without files. */
function eachChild(folder: string, isRoot: boolean, visit: (child: Dirent) => boolean): boolean {
  try {
    // All names at once take a third of the time, unless there are very many of them.
    if (statSync(folder).size > LARGE_FOLDER_BYTES) return eachOfMany(folder, visit);
    return readdirSync(folder, { withFileTypes: true }).every(visit);
  } catch (error) {
    if (isRoot) throw error;
    return true;
  }
}

function eachOfMany(folder: string, visit: (child: Dirent) => boolean): boolean {
  const directory = opendirSync(folder, { bufferSize: 512 });
  try {
    for (let child = directory.readSync(); child !== null; child = directory.readSync()) {
      if (!visit(child)) return false;
    }
    return true;
  } finally {
    directory.closeSync();
  }
}

/** Undefined for what is gone by now, or has a name that cannot be given back to the system. */
function statsOf(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true });
  } catch {
    return undefined;
  }
}

/** What a skill consists of at one moment. */
export interface SkillContent {
  readonly ok: true;
  /** The whole SKILL.md. */
  readonly text: string;
  /**
   * `sha256:…`, the digest of all files (`skillDigest`). Where that would take long or cannot be
   * made, `stamp:…`: of SKILL.md's content and the sizes, times and inodes of the other files.
   */
  readonly digest: string;
  /** In byte order of the paths, SKILL.md left out. Without a size: made only when it is read. */
  readonly files: readonly { readonly path: string; readonly size?: number }[];
  /** There are more files than are looked at. */
  readonly moreFiles?: boolean;
}

export type ContentResult =
  | SkillContent
  | Failure<"skill-unreadable" | "skill-too-large" | "skill-changing">;

interface KnownDigest {
  readonly stamp: string;
  /** Of all files and of SKILL.md alone; absent when it cannot be made. */
  readonly content?: { readonly digest: string; readonly skillFile: string };
}

/** What is larger is not read for the sake of its name. */
const MAX_HASHED_BYTES = 8 * 1024 * 1024;
const MAX_REMEMBERED = 1000;
const ATTEMPTS = 3;

/** Digests by folder, as long as no file's size, time or inode changes. */
const known = new Map<string, KnownDigest>();

/** What a skill consists of, in a folder or in code. Code that throws is a failure like a file's. */
export async function contentOf(
  { path, name }: SkillRecord,
  inline: InlineSkill | undefined,
): Promise<ContentResult> {
  if (inline === undefined) return readSkillContent(path);
  const { inlineContent } = await import("../sources/inline-skills.ts");
  try {
    return await inlineContent(inline);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `the instructions of ${name} could not be made: ${reason}`;
    return { ok: false, code: "skill-unreadable", message };
  }
}

/** `metadata.role`: a coordinator says how other skills work together, and so comes before them. */
export async function roleOf(
  record: SkillRecord,
  inline: InlineSkill | undefined,
): Promise<string | undefined> {
  if (inline !== undefined) return inline.metadata?.["role"];
  const content = await readSkillContent(record.path);
  return content.ok ? parseSkill(content.text).skill?.metadata["role"] : undefined;
}

/**
 * Reads a skill's SKILL.md together with the digest of all its files. Both belong together: when
 * someone writes meanwhile it is read again. The digest is only computed when a file has changed,
 * and the time it takes is bounded whatever lies in the folder.
 */
export async function readSkillContent(directory: string): Promise<ContentResult> {
  try {
    const root = realpathSync(directory);
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const content = await readOnce(root);
      if (content !== undefined) return content;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `the skill in ${JSON.stringify(directory)} cannot be read: ${reason}`;
    return { ok: false, code: "skill-unreadable", message };
  }
  const message = `the skill in ${JSON.stringify(directory)} is being changed`;
  return { ok: false, code: "skill-changing", message, hint: "try again in a moment" };
}

/** Undefined when the text is not the one that the digest is about. */
async function readOnce(root: string): Promise<ContentResult | undefined> {
  const listing = listStamps(root);
  const remembered = known.get(root);
  const { content } =
    remembered?.stamp === listing.stamp ? remembered : await computeDigest(root, listing);
  const read = await readSkillFile(root);
  if ("size" in read) {
    const message = `SKILL.md has ${read.size} bytes, 1 MiB is allowed`;
    const hint = "move parts of it into references/";
    return { ok: false, code: "skill-too-large", message, hint };
  }
  const skillFile = sha256(read.bytes);
  if (content !== undefined && skillFile !== content.skillFile) {
    known.delete(root);
    return undefined;
  }
  const { files, moreFiles, ownStamp } = listing;
  const digest = content?.digest ?? `stamp:${sha256(`${skillFile}\n${ownStamp}`)}`;
  return { ok: true, text: read.text, digest, files, ...(moreFiles && { moreFiles }) };
}

async function computeDigest(
  root: string,
  { stamp, racy, size, truncated }: Listing,
): Promise<KnownDigest> {
  const isSmall = !truncated && size <= MAX_HASHED_BYTES;
  const content = isSmall ? await contentDigest(root) : undefined;
  const digests = { stamp, ...(content && { content }) };
  if (!racy) remember(root, digests);
  return digests;
}

/** Undefined for what has no digest: links, special files, strange names, what may not be read. */
async function contentDigest(root: string): Promise<KnownDigest["content"]> {
  try {
    const files = await fileDigests(root);
    const skillFile = files.find(({ path }) => path === SKILL_FILE)?.sha256 ?? "";
    return { digest: combineDigests(files), skillFile };
  } catch (error) {
    if (SkillwrightError.isInstance(error)) return undefined;
    throw error;
  }
}

function remember(root: string, digests: KnownDigest): void {
  if (known.size >= MAX_REMEMBERED) {
    const [oldest] = known.keys();
    if (oldest !== undefined) known.delete(oldest);
  }
  known.set(root, digests);
}

function sha256(bytes: Uint8Array | string): string {
  return crypto().createHash("sha256").update(bytes).digest("hex");
}
