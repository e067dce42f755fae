import { link, lstat, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { randomBytes } from "node:crypto";
import type { PackFailure } from "../pack-failure.ts";

export interface OutputFile {
  /** Absolute. */
  readonly file: string;
  readonly content: Buffer;
}

export interface PlacedFiles {
  readonly ok: true;
  /** True when every file was there with this content. */
  readonly unchanged: boolean;
}

interface Pending extends OutputFile {
  readonly exists: boolean;
  readonly temporary: string;
}

/**
 * Puts files in their places by rename, in the given order, so that one that points to others comes
 * last. Without `force` nothing that has other content is replaced, and then nothing at all is done.
 */
export async function placeFiles(
  outputs: readonly OutputFile[],
  force = false,
): Promise<PlacedFiles | PackFailure> {
  const pending: Pending[] = [];
  const placed: Pending[] = [];
  try {
    for (const output of outputs) {
      const standing = await whatStands(output);
      if (standing === "same") continue;
      if (standing === "other" && !force) return taken(output.file);
      if (standing === "not-a-file") return notAFile(output.file);
      const temporary = temporaryName(output.file);
      pending.push({ ...output, temporary, exists: standing === "other" });
    }
    for (const { temporary, content } of pending) await writeSynced(temporary, content);
    for (const file of pending) {
      await moveIn(file);
      placed.push(file);
    }
    return { ok: true, unchanged: pending.length === 0 };
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    for (const { file, exists } of placed) if (!exists) await rm(file, { force: true });
    const { file } = pending[placed.length] ?? outputs[0] ?? { file: "" };
    return error.code === "EEXIST" ? taken(file) : unwritable(file, error);
  } finally {
    for (const { temporary } of pending) await rm(temporary, { force: true });
  }
}

async function whatStands({ file, content }: OutputFile) {
  try {
    const stats = await lstat(file);
    if (!stats.isFile()) return "not-a-file";
    if (stats.size !== content.length) return "other";
    return (await readFile(file)).equals(content) ? "same" : "other";
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "nothing";
    throw error;
  }
}

function temporaryName(file: string): string {
  return join(dirname(file), `.${basename(file)}.${randomBytes(6).toString("hex")}`);
}

async function writeSynced(file: string, content: Buffer): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const handle = await open(file, "wx");
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A rename would replace what somebody else put there since it was looked at; a link does not. */
async function moveIn({ file, temporary, exists }: Pending): Promise<void> {
  if (exists) return rename(temporary, file);
  try {
    await link(temporary, file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST") throw error;
    // Not every file system has hard links.
    await rename(temporary, file);
  }
}

function taken(file: string): PackFailure {
  return {
    ok: false,
    code: "name-taken",
    message: `${JSON.stringify(file)} exists with other content`,
    hint: "choose another output, or replace it with --force",
  };
}

function notAFile(file: string): PackFailure {
  const message = `${JSON.stringify(file)} exists and is not a plain file`;
  return { ok: false, code: "name-taken", message, hint: "choose another output" };
}

function unwritable(file: string, error: Error): PackFailure {
  const message = `${JSON.stringify(file)} cannot be written: ${error.message}`;
  return { ok: false, code: "root-unwritable", message };
}
