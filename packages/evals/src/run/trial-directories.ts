import { mkdtempSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { makeFolder, readRegularFile, writeNew } from "@skillwright/core/internal";
import type { CaseFile } from "../cases/eval-case.ts";

/**
 * Working directories for trials, each fresh: one that a trial left empty is as good as a new one, and most
 * are; any other is removed.
 */
export class TrialDirectories {
  readonly #folder: string;
  readonly #empty: string[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** With the files of a case, for as long as the work takes. */
  async use<Result>(
    files: readonly CaseFile[],
    work: (directory: string) => Promise<Result>,
  ): Promise<Result> {
    const directory = this.#empty.pop() ?? mkdtempSync(join(this.#folder, "trial-"));
    try {
      for (const file of files) put(file, directory);
      return await work(directory);
    } finally {
      if (isFresh(directory)) this.#empty.push(directory);
      else await rm(directory, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  /** After the last trial. */
  close(): void {
    for (const directory of this.#empty.splice(0)) rmdirSync(directory);
  }
}

const FRESH_MODE = 0o700;

function isFresh(directory: string): boolean {
  try {
    const { mode } = statSync(directory);
    return (mode & 0o777) === FRESH_MODE && readdirSync(directory).length === 0;
  } catch {
    return false;
  }
}

function put({ path, from, content = "" }: CaseFile, directory: string): void {
  const target = join(directory, path);
  if (relative(directory, target).split(sep)[0] === "..") {
    throw new TypeError(`the file ${path} would lie outside of the working directory`);
  }
  makeFolder(dirname(target), 0o777);
  // A copy, so that what a trial does to it stays in the trial. The file may have become a link or a
  // pipe since the case was read.
  writeNew(target, from === undefined ? content : readRegularFile(from), { mode: "umask" });
}
