import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
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
  if (from === undefined) await writeFile(target, content, { flag: "wx" });
  else await copyFile(from, target);
}
