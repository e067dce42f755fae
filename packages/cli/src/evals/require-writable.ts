import { randomUUID } from "node:crypto";
import { type Stats, statSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT } from "../exit-code.ts";

export interface OutputFiles {
  readonly junit?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly workspace?: string;
  readonly save?: string;
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission is denied",
  EPERM: "permission is denied",
  EROFS: "it is on a file system that can only be read",
  ENOENT: "its folder cannot be made",
  ENOTDIR: "a part of the path is no folder",
  ELOOP: "its links go round in a circle",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "there is no space left",
};

/** Said before the first trial is paid for. Folders that are missing are made. */
export async function requireWritable(
  { save, junit, markdown, html, workspace }: OutputFiles,
  { cwd }: Pick<Console, "cwd">,
): Promise<void> {
  const reports = { "--junit": junit, "--markdown": markdown, "--html": html };
  for (const [option, path] of Object.entries(reports)) {
    if (path !== undefined) await requireReport(option, resolve(cwd, path));
  }
  if (save !== undefined) await requireFile("--save", resolve(cwd, save));
  if (workspace !== undefined) await requireFolder("--workspace", resolve(cwd, workspace));
}

/** A file, or a place for one. What is no file is not replaced by one. */
export async function requireFile(option: string, path: string): Promise<void> {
  await attempt(option, path, async () => {
    const stats = statOf(path);
    if (stats?.isDirectory() === true) throw refused(option, path, "it is a folder");
    if (stats?.isFile() === false) throw refused(option, path, "it is no file");
    await makeFolder(dirname(path));
    await writeProbe(path);
  });
}

/** Also a device or a pipe. */
async function requireReport(option: string, path: string): Promise<void> {
  await attempt(option, path, async () => {
    if (!isStream(path)) await requireFile(option, path);
  });
}

/** It is written to and never replaced: /dev/stdout is a link, also where it leads to a file. */
export function isStream(path: string): boolean {
  const stats = statOf(path);
  if (stats === undefined || stats.isSocket() || stats.isDirectory()) return false;
  return stats.isFIFO() || stats.isCharacterDevice() || /^\/(?:dev|proc)\//.test(path);
}

async function requireFolder(option: string, path: string): Promise<void> {
  await attempt(option, path, async () => {
    if (statOf(path)?.isDirectory() === false) throw refused(option, path, "it is no folder");
    await makeFolder(path);
    await writeProbe(join(path, "probe"));
  });
}

async function attempt(option: string, path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw refused(option, path, REASONS[code] ?? code);
  }
}

/** One after the other: the recursive form never ends where nothing can be made, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  const stats = statOf(folder);
  if (stats?.isDirectory() === true) return;
  if (stats === undefined) await makeFolder(dirname(folder));
  try {
    await mkdir(folder);
  } catch (error) {
    // Somebody else was quicker.
    if (statOf(folder)?.isDirectory() !== true) throw error;
  }
}

/** Permissions do not tell all: only writing shows that it can be written. */
async function writeProbe(path: string): Promise<void> {
  const probe = `${path}.${randomUUID()}`;
  await writeFile(probe, "", { flag: "wx" });
  await rm(probe, { force: true });
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function refused(option: string, path: string, why: string): CommandFailure {
  const message = `${option}: ${path} cannot be written: ${why}`;
  return new CommandFailure(EXIT.usage, message, {
    code: "output-unwritable",
    hint: "nothing was run; name another place",
  });
}
