import { errorCode, readIfPresent, UnusableFileError } from "@skillwright/core/internal";
import type { PackFailure } from "../pack-failure.ts";

/** The bytes of a regular file, undefined when there is none, or why it cannot be used. */
export function readSmallFile(file: string, maxBytes: number): Buffer | undefined | PackFailure {
  try {
    return readIfPresent(file, { maxBytes, follow: true });
  } catch (error) {
    if (!(error instanceof UnusableFileError) && errorCode(error) === undefined) throw error;
    const message = `${JSON.stringify(file)} cannot be read: ${(error as Error).message}`;
    return { ok: false, code: "source-unreachable", message };
  }
}
