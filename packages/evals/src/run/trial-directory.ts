import { constants } from "node:fs";
import { mkdir, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import type { CaseFile } from "../cases/eval-case.ts";

/** A fresh working directory with the files of a case, for as long as the work takes. */
export async function withTrialDirectory<Result>(
  folder: string,
  files: readonly CaseFile[],
  work: (directory: string) => Promise<Result>,
): Promise<Result> {
  const directory = await mkdtemp(join(folder, "trial-"));
  try {
    for (const file of files) await put(file, directory);
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
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
