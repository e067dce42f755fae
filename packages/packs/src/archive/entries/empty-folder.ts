import { lstatSync, readdirSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { PackFailure } from "../../pack-failure.ts";
import { refuse, unwritable } from "../refuse.ts";

/**
 * Runs what writes into an empty folder: unless it succeeds, the folder is empty again, however
 * it ended.
 */
export async function allOrNothing<Result extends { readonly ok: true }>(
  folder: string,
  write: () => Promise<Result | PackFailure>,
): Promise<Result | PackFailure> {
  const problem = folderProblem(folder);
  if (problem !== undefined) return problem;
  let isWhole = false;
  try {
    const result = await write();
    isWhole = result.ok;
    return result;
  } finally {
    if (!isWhole) await emptyFolder(folder);
  }
}

/** What keeps a folder from being written into: it must be there, be no link, and be empty. */
function folderProblem(folder: string): PackFailure | undefined {
  try {
    const isEmptyFolder = lstatSync(folder).isDirectory() && readdirSync(folder).length === 0;
    if (isEmptyFolder) return undefined;
    return refuse("root-unwritable", `${JSON.stringify(folder)} is not an empty folder`);
  } catch (error) {
    return unwritable(error);
  }
}

/** Removes what is in a folder; the folder stays. */
async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    await rm(join(folder, name), { recursive: true, force: true, maxRetries: 2 });
  }
}
