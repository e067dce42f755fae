import { constants } from "node:fs";
import { mkdir, open, opendir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Failure } from "@skillwright/core";

export type StagedGrader =
  | { readonly ok: true; /** Below the folder. */ readonly script: string }
  | Failure<"grader-missing" | "grader-too-large" | "grader-unreadable">;

const MAX_ENTRIES = 1000;
const MAX_BYTES = 20 * 1024 * 1024;
const MAX_LEVELS = 16;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** They are no part of a grader, and large. */
const SKIPPED = new Set([".git", "node_modules", "__pycache__"]);

interface Room {
  entries: number;
  bytes: number;
}

/**
 * Copies a grader and what lies beside and below it to where scripts of a skill are run from. Links and what is no
 * file are left out: they could lead to what no grader may see.
 */
export async function stageGrader(file: string, folder: string): Promise<StagedGrader> {
  const scripts = join(folder, "scripts");
  const name = basename(file);
  try {
    await mkdir(scripts);
    const room = { entries: MAX_ENTRIES, bytes: MAX_BYTES };
    // First, so that a large neighbour is not what is said about a grader that is missing.
    if (!(await copyFile(file, join(scripts, name), room))) return missing(file);
    const isCopied = await copyFolder(dirname(file), scripts, room, MAX_LEVELS, name);
    return isCopied ? { ok: true, script: `scripts/${name}` } : tooLarge(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    if (code === "ENOENT" || code === "ELOOP" || code === "ENOTDIR") return missing(file);
    const message = `the grader ${file} cannot be copied: ${code}`;
    return { ok: false, code: "grader-unreadable", message };
  }
}

/** False when there is no more room. */
async function copyFolder(
  source: string,
  target: string,
  room: Room,
  levels: number,
  except?: string,
): Promise<boolean> {
  for await (const entry of await opendir(source)) {
    const { name } = entry;
    if (name === except || SKIPPED.has(name)) continue;
    const [from, to] = [join(source, name), join(target, name)];
    room.entries -= 1;
    if (entry.isDirectory()) {
      if (levels <= 1) return false;
      await mkdir(to);
      if (!(await copyFolder(from, to, room, levels - 1))) return false;
    } else if (entry.isFile()) await copyFile(from, to, room);
    if (room.entries < 0 || room.bytes < 0) return false;
  }
  return true;
}

/** False when it is no regular file. What there is no room for is not read. */
async function copyFile(source: string, target: string, room: Room): Promise<boolean> {
  const file = await open(source, READ);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return false;
    room.bytes -= stats.size;
    if (room.bytes < 0) return true;
    const mode = (stats.mode & 0o700) | 0o600;
    await writeFile(target, await file.readFile(), { flag: "wx", mode });
    return true;
  } finally {
    await file.close();
  }
}

function missing(file: string): StagedGrader {
  const message = `there is no grader ${file}, or it is no regular file`;
  return { ok: false, code: "grader-missing", message };
}

function tooLarge(file: string): StagedGrader {
  const most = `${MAX_ENTRIES} files or ${MAX_BYTES / 1024 / 1024} MiB`;
  const message = `beside the grader ${file} lie more than ${most}`;
  const hint = "give the grader a folder of its own";
  return { ok: false, code: "grader-too-large", message, hint };
}
