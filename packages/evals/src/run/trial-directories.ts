import { constants, mkdtempSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { mkdir, open, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
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
      for (const file of files) await put(file, directory);
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

async function put({ path, from, content = "" }: CaseFile, directory: string): Promise<void> {
  const target = join(directory, path);
  if (relative(directory, target).split(sep)[0] === "..") {
    throw new TypeError(`the file ${path} would lie outside of the working directory`);
  }
  await mkdir(dirname(target), { recursive: true });
  // A copy, so that what a trial does to it stays in the trial.
  const bytes = from === undefined ? content : await readRegularFile(from);
  await writeFile(target, bytes, { flag: "wx" });
}

/** What was checked when the case was read may have become a link or a pipe since. */
async function readRegularFile(path: string): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await file.stat()).isFile()) throw new TypeError(`${path} is no regular file`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
