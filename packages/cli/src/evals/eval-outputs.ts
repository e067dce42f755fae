import {
  errorCode,
  makeFolder,
  temporaryPath,
  writeAtomic,
  writeNew,
} from "@skillwright/core/internal";
import {
  type CaseProblem,
  junitReport,
  type ReportInput,
  terminalSummary,
  writeWorkspace,
} from "@skillwright/evals";
import { createHash } from "node:crypto";
import { rmSync, type Stats, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT } from "../exit-code.ts";
import type { SessionPlace } from "@skillwright/app/internal";
import { AppFailure } from "@skillwright/app";

interface OutputFiles {
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
  ENOTDIR: "a part of the path is not a folder",
  ELOOP: "its links go round in a circle",
  ENAMETOOLONG: "the name is too long",
  ENOSPC: "there is no space left",
};

/** Said before the first trial is paid for. Folders that are missing are made. */
export function requireWritable(
  { save, junit, markdown, html, workspace }: OutputFiles,
  { cwd }: Pick<Console, "cwd">,
): void {
  const reports = { "--junit": junit, "--markdown": markdown, "--html": html };
  for (const [option, path] of Object.entries(reports)) {
    if (path !== undefined) requireReport(option, resolve(cwd, path));
  }
  if (save !== undefined) requireFile("--save", resolve(cwd, save));
  if (workspace !== undefined) requireFolder("--workspace", resolve(cwd, workspace));
}

/** A file, or a place for one. What is no file is not replaced by one. */
export function requireFile(option: string, path: string): void {
  attempt(option, path, () => {
    const stats = statOf(path);
    if (stats?.isDirectory() === true) throw refused(option, path, "it is a folder");
    if (stats?.isFile() === false) throw refused(option, path, "it is not a file");
    makeFolder(dirname(path), 0o777);
    writeProbe(path);
  });
}

/** Also a device or a pipe. */
function requireReport(option: string, path: string): void {
  attempt(option, path, () => {
    if (!isStream(path)) requireFile(option, path);
  });
}

/** It is written to and never replaced: /dev/stdout is a link, also where it leads to a file. */
function isStream(path: string): boolean {
  const stats = statOf(path);
  if (stats === undefined || stats.isSocket() || stats.isDirectory()) return false;
  return stats.isFIFO() || stats.isCharacterDevice() || /^\/(?:dev|proc)\//.test(path);
}

function requireFolder(option: string, path: string): void {
  attempt(option, path, () => {
    if (statOf(path)?.isDirectory() === false) throw refused(option, path, "it is not a folder");
    makeFolder(path, 0o777);
    writeProbe(join(path, "probe"));
  });
}

function attempt(option: string, path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    if (error instanceof AppFailure) throw error;
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw refused(option, path, REASONS[code] ?? code);
  }
}

/** Permissions do not tell all: only writing shows that it can be written. */
function writeProbe(path: string): void {
  const probe = temporaryPath(path);
  writeNew(probe, "");
  rmSync(probe, { force: true });
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

export interface ReportFiles {
  readonly junit?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly workspace?: string;
}

/** The reports that were asked for, each where it was asked for. */
export async function writeReports(
  input: ReportInput,
  { junit, markdown, html, workspace }: ReportFiles,
  console: Console,
): Promise<void> {
  const at = (path: string) => resolve(console.cwd, path);
  if (junit !== undefined) await write(at(junit), junitReport(input), console);
  if (markdown !== undefined) {
    const { markdownReport } = await import("@skillwright/evals");
    await write(at(markdown), markdownReport(input), console);
  }
  if (html !== undefined) {
    const { htmlReport } = await import("@skillwright/evals");
    await write(at(html), htmlReport(input), console);
  }
  if (workspace !== undefined) {
    const made = await writeWorkspace(at(workspace), input.results);
    for (const folder of made) console.note(`Wrote ${folder}.`);
  }
}

/** By rename, unless it is a pipe or a device. */
async function write(file: string, text: string, console: Console): Promise<void> {
  if (isStream(file)) {
    await writeFile(file, text);
    return;
  }
  writeAtomic(file, text, { mode: "umask" });
  console.note(`Wrote ${file}.`);
}

/** The one JSON document, or what a person reads; the last line is the verdict. */
export function printEval(
  input: ReportInput,
  problems: readonly CaseProblem[],
  console: Console,
): void {
  if (!console.json) return printSummary(input, console);
  const { summary, comparison } = input;
  console.printJson({
    ...summary,
    ...(comparison && { comparison }),
    ...(problems.length > 0 && { problems }),
  });
}

export function printSummary(input: ReportInput, console: Console): void {
  const { width, colors, quiet } = console;
  const lines = terminalSummary(input, { width, colors });
  console.print(quiet ? (lines.at(-1) ?? "") : lines.join("\n"));
}

/** Where the results of the last eval of a project are kept, for `eval report` and `eval lint`. */
export function lastResultsFile({ project, stateDirectory }: SessionPlace): string {
  const name = createHash("sha256").update(project).digest("hex").slice(0, 24);
  return join(stateDirectory, "evals", `last-${name}.json`);
}
