import { realpathSync } from "node:fs";
import { rename, rm, writeFile } from "node:fs/promises";
import { UsageError } from "./command.mjs";

/** To standard output, or to files that appear as a whole or not at all. */
export async function writeOutput(text, file) {
  if (file !== undefined) return writeWhole(file, text);
  await new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

async function writeWhole(file, text) {
  const part = `${file}.part-${process.pid}`;
  try {
    await writeFile(part, text, { flag: "wx" });
    await rename(part, file);
  } catch (error) {
    if (error.code !== "EEXIST") await rm(part, { force: true }).catch(() => {});
    throw new Error(explain(error, file), { cause: error });
  }
}

function explain(error, file) {
  if (["EROFS", "EACCES", "EPERM"].includes(error.code))
    return `${file} may not be written here: without --out the result is printed; to get a file, let the program that runs this skill write to the folder (Skillwright: execution.writable)`;
  if (error.code === "ENOENT") return `there is no folder for ${file}`;
  if (["EISDIR", "ENOTEMPTY"].includes(error.code)) return `${file} is a folder`;
  return `${file} could not be written: ${error.message}`;
}

/** Nobody wants the data replaced by what is made of it. */
export function checkOutput(file, sources) {
  if (file === undefined) return;
  const real = realPath(file);
  if (real !== undefined && sources.some((source) => realPath(source) === real))
    throw new UsageError(`--out ${file} is what is read; take another name`);
}

function realPath(file) {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
