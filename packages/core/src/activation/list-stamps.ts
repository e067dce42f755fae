import {
  type BigIntStats,
  type Dirent,
  lstatSync,
  opendirSync,
  readdirSync,
  statSync,
} from "node:fs";
import { SKILL_FILE } from "../directory/read-skill-file.ts";
import { SKIPPED_FOLDERS } from "../directory/skipped-folders.ts";
import { isListed } from "../files/list-files.ts";
import { fileStamp } from "../sources/file-stamp.ts";

/** What lies in a skill's folder, as far as it is looked at. */
export interface Listing {
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
export function listStamps(root: string): Listing {
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
