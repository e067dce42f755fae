import { lstatSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import {
  errorCode,
  linkNew,
  makeFolder,
  readRegularFile,
  removeQuietly,
  temporaryPath,
  writeNew,
} from "@skillwright/core/internal";
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
      const standing = whatStands(output);
      if (standing === "same") continue;
      if (standing === "other" && !force) return taken(output.file);
      if (standing === "not-a-file") return notAFile(output.file);
      const temporary = temporaryPath(output.file);
      pending.push({ ...output, temporary, exists: standing === "other" });
    }
    for (const { temporary, content } of pending) {
      makeFolder(dirname(temporary), 0o777);
      writeNew(temporary, content, { mode: "umask", flush: true });
      // A flush takes long; Ctrl-C should not have to wait for all of them.
      await setImmediate();
    }
    for (const output of pending) {
      if (output.exists) renameSync(output.temporary, output.file);
      // Somebody else may have put a file there since it was looked at.
      else if (!linkNew(output.temporary, output.file)) {
        removePlaced(placed);
        return taken(output.file);
      }
      placed.push(output);
    }
    return { ok: true, unchanged: pending.length === 0 };
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    removePlaced(placed);
    const { file } = pending[placed.length] ?? outputs[0] ?? { file: "" };
    return unwritable(file, error as Error);
  } finally {
    for (const { temporary } of pending) removeQuietly(temporary);
  }
}

function removePlaced(placed: readonly Pending[]): void {
  for (const { file, exists } of placed) if (!exists) rmSync(file, { force: true });
}

function whatStands({ file, content }: OutputFile) {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return "nothing";
  if (!stats.isFile()) return "not-a-file";
  if (stats.size !== content.length) return "other";
  return readRegularFile(file, { maxBytes: stats.size }).equals(content) ? "same" : "other";
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
