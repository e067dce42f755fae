import { skillDigest } from "@skillwright/core";
import { makeFolder, writeNew } from "@skillwright/core/internal";
import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { mcpFailure, type McpFailure } from "../mcp-failure.ts";
import type { ListedSkill } from "./listed-skill.ts";
import { type ReadContext, readSkillFile } from "./read-skill-file.ts";

const MAX_KEPT = 32;

export type Materialised = { readonly ok: true; readonly directory: string } | McpFailure;

/**
 * The files of a skill in a folder that only the user can look into and in which nobody looks for
 * skills, for what needs a folder: running its scripts. What is there already is hashed again.
 */
export async function materialiseSkill(
  skill: ListedSkill,
  folder: string,
  context: ReadContext,
  platform: NodeJS.Platform = process.platform,
): Promise<Materialised> {
  const { digest } = skill;
  const unnamed = platform === "win32" ? unnamedFile(skill) : undefined;
  if (unnamed !== undefined) return unnamed;
  const parent = join(folder, context.connection.label);
  const directory = join(parent, digest.replace("sha256:", ""));
  try {
    if (await isIntact(directory, digest)) return { ok: true, directory };
    makePrivate(folder);
    makePrivate(parent);
    const temporary = join(parent, `.new-${process.pid}-${randomBytes(6).toString("hex")}`);
    try {
      const failure = await fetchFiles(skill, temporary, context);
      if (failure !== undefined) return failure;
      rmSync(directory, { recursive: true, force: true });
      placeFolder(temporary, directory);
    } finally {
      rmSync(temporary, { recursive: true, force: true });
    }
    prune(parent, directory);
    if (await isIntact(directory, digest)) return { ok: true, directory };
    return mcpFailure(
      "skill-unverified",
      `the files of ${skill.name} changed while they were kept`,
    );
  } catch (error) {
    if (!(error instanceof Error) || !("syscall" in error)) throw error;
    return mcpFailure("skill-unverified", `${skill.name} cannot be kept: ${error.message}`);
  }
}

/** Such a name could also mean another file than the one that is listed. */
function unnamedFile({ name, files }: ListedSkill): McpFailure | undefined {
  for (const { path } of files) {
    const problem = windowsNameProblem(path);
    if (problem === undefined) continue;
    const message = `${name} cannot be kept here, because of its file ${JSON.stringify(path)}: ${problem}`;
    return mcpFailure("skill-unverified", message);
  }
  return undefined;
}

async function fetchFiles(
  skill: ListedSkill,
  directory: string,
  context: ReadContext,
): Promise<McpFailure | undefined> {
  mkdirSync(directory, { mode: 0o700 });
  for (const file of skill.files) {
    const read = await readSkillFile(skill, file, context);
    if (!read.ok) return read;
    const path = join(directory, file.path);
    makeFolder(dirname(path));
    writeNew(path, read.value.bytes);
  }
  return undefined;
}

async function isIntact(directory: string, digest: string): Promise<boolean> {
  if (!isPrivate(directory)) return false;
  return (await skillDigest(directory).catch(() => undefined)) === digest;
}

function isPrivate(directory: string): boolean {
  const stats = lstatSync(directory, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return false;
  if (process.platform === "win32") return true;
  return stats.uid === process.geteuid?.() && (stats.mode & 0o077) === 0;
}

function makePrivate(directory: string): void {
  makeFolder(directory);
  if (isPrivate(directory)) return;
  throw Object.assign(new Error(`${directory} is open to others, or a link`), { syscall: "open" });
}

/** Another process may have put the same files there meanwhile. */
function placeFolder(temporary: string, directory: string): void {
  try {
    renameSync(temporary, directory);
  } catch (error) {
    if (!isPrivate(directory)) throw error;
  }
}

/** Old ones go: they can be fetched again. */
function prune(parent: string, kept: string): void {
  const folders = readdirSync(parent)
    .filter((name) => /^[\da-f]{64}$/.test(name))
    .map((name) => join(parent, name))
    .map((path) => ({ path, time: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.time - a.time);
  for (const { path } of folders.slice(MAX_KEPT)) {
    if (path !== kept) rmSync(path, { recursive: true, force: true });
  }
}

const FORBIDDEN = /[:*?"<>|]/;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Why Windows cannot keep a file of this path, which is fine elsewhere. */
export function windowsNameProblem(path: string): string | undefined {
  for (const segment of path.split("/")) {
    const [character] = FORBIDDEN.exec(segment) ?? [];
    if (character !== undefined) return `Windows has no names with ${character}`;
    if (/[. ]$/.test(segment)) return "Windows has no names that end with a dot or a space";
    if (RESERVED.test(segment)) return "Windows keeps this name for a device";
  }
  return undefined;
}
