import { createHash } from "node:crypto";
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { combineDigests, fileDigests } from "../directory/skill-digest.ts";
import { readSkillFile, SKILL_FILE } from "../directory/read-skill-file.ts";
import type { Failure } from "../failure.ts";
import { SkillwrightError } from "../skillwright-error.ts";
import { fileStamp } from "../sources/file-stamp.ts";

/** What a skill consists of at one moment. */
export interface SkillContent {
  readonly ok: true;
  /** The whole SKILL.md. */
  readonly text: string;
  readonly digest: string;
  /** In byte order of the paths, SKILL.md left out. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

export type ContentResult =
  | SkillContent
  | Failure<"skill-unreadable" | "skill-too-large" | "skill-changing">;

interface Listing {
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Differs when any file does. */
  readonly stamp: string;
  /** So recent that the next change might leave the same stamp. */
  readonly racy: boolean;
}

interface KnownDigest {
  readonly stamp: string;
  readonly digest: string;
  readonly skillFile: string;
}

const MAX_ENTRIES = 2000;
const MAX_REMEMBERED = 1000;
const ATTEMPTS = 3;

/** Digests by folder, as long as no file's size, time or inode changes. */
const known = new Map<string, KnownDigest>();

/**
 * Reads a skill's SKILL.md together with the digest of all its files. Both belong together: when
 * someone writes meanwhile it is read again. The digest is only computed when a file has changed.
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
  const listing = listWithStamps(root);
  const remembered = known.get(root);
  const digests =
    remembered?.stamp === listing.stamp ? remembered : await computeDigest(root, listing);
  const read = await readSkillFile(root);
  if ("size" in read) {
    const message = `SKILL.md has ${read.size} bytes, 1 MiB is allowed`;
    return {
      ok: false,
      code: "skill-too-large",
      message,
      hint: "move parts of it into references/",
    };
  }
  if (sha256(read.bytes) !== digests.skillFile) {
    known.delete(root);
    return undefined;
  }
  const files = listing.files.filter(({ path }) => path !== SKILL_FILE);
  return { ok: true, text: read.text, digest: digests.digest, files };
}

async function computeDigest(root: string, { stamp, racy }: Listing): Promise<KnownDigest> {
  const files = await fileDigests(root).catch(async (error: unknown) => {
    // A link inside leads nowhere for us; what can be read is named all the same.
    if (!SkillwrightError.isInstance(error) || error.code !== "link-refused") throw error;
    return [await skillFileDigest(root)];
  });
  const skillFile = files.find(({ path }) => path === SKILL_FILE)?.sha256 ?? "";
  const digests = { stamp, digest: combineDigests(files), skillFile };
  if (!racy) remember(root, digests);
  return digests;
}

async function skillFileDigest(root: string) {
  const read = await readSkillFile(root);
  if ("size" in read) return { path: SKILL_FILE, sha256: "", size: read.size };
  return { path: SKILL_FILE, sha256: sha256(read.bytes), size: read.bytes.length };
}

function remember(root: string, digests: KnownDigest): void {
  if (known.size >= MAX_REMEMBERED) {
    const [oldest] = known.keys();
    if (oldest !== undefined) known.delete(oldest);
  }
  known.set(root, digests);
}

/** All regular files with what tells that they changed. Synchronous: a folder or two, in the cache. */
function listWithStamps(root: string): Listing {
  const now = BigInt(Date.now()) * 1_000_000n;
  const files: { path: string; size: number }[] = [];
  const stamps: string[] = [];
  let racy = false;
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const child of readdirSync(`${root}/${folder}`, { withFileTypes: true })) {
      const path = folder === "" ? child.name : `${folder}/${child.name}`;
      if (child.isDirectory()) {
        folders.push(path);
      } else {
        const stats = lstatSync(`${root}/${path}`, { bigint: true });
        const { stamp, racy: isRacy } = fileStamp(stats, now);
        stamps.push(`${path}\0${stamp}`);
        racy ||= isRacy;
        if (child.isFile()) files.push({ path, size: Number(stats.size) });
      }
      if (stamps.length + folders.length > MAX_ENTRIES) throw tooMany();
    }
  }
  files.sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  return { files, stamp: stamps.sort().join("\n"), racy };
}

function tooMany(): SkillwrightError {
  return new SkillwrightError("directory-unreadable", `it holds more than ${MAX_ENTRIES} files`);
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
