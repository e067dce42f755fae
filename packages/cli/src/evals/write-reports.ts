import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { writeAtomic } from "@skillwright/core/internal";
import { junitReport, type ReportInput, writeWorkspace } from "@skillwright/evals";
import type { Console } from "../console.ts";
import { isStream } from "./require-writable.ts";

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
  if (junit !== undefined) await write(at(junit), junitReport(input.results), console);
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
