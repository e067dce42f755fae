import { closeSync, readFileSync, realpathSync } from "node:fs";
import type { Failure } from "@skillwright/core";
import { openConfinedSync } from "@skillwright/core/internal";

/** `file-missing` says something about what was done, the others that it cannot be told. */
export type TrialFile =
  | { readonly ok: true; readonly content: Buffer }
  | Failure<"file-missing" | "file-refused" | "file-too-large">;

const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** A file in the working directory of a trial. Nothing outside, no links, no more than the bound. */
export function readTrialFile(directory: string, path: string): TrialFile {
  const segments = path.split(/[/\\]/).filter((segment) => segment !== "" && segment !== ".");
  if (/^(?:[/\\]|[a-z]:)/i.test(path) || segments.includes("..") || segments.length === 0) {
    return refused(`${path} does not lie in the working directory`);
  }
  let root: string;
  try {
    root = realpathSync(directory);
  } catch {
    return refused("the working directory is gone");
  }
  const opened = openConfinedSync(root, segments);
  if (!opened.ok) {
    if (opened.reason === "missing") return missing(`there is no file ${path}`);
    if (opened.reason === "not-a-file") return missing(`${path} is no file`);
    return refused(`${path} cannot be read: ${opened.reason}`);
  }
  try {
    if (opened.stats.size > MAX_FILE_BYTES) {
      const message = `${path} is larger than ${MAX_FILE_BYTES} bytes`;
      return { ok: false, code: "file-too-large", message };
    }
    return { ok: true, content: readFileSync(opened.descriptor) };
  } catch (error) {
    return refused(`${path} cannot be read: ${String(error)}`);
  } finally {
    closeSync(opened.descriptor);
  }
}

function missing(message: string): Failure<"file-missing"> {
  return { ok: false, code: "file-missing", message };
}

function refused(message: string): Failure<"file-refused"> {
  return { ok: false, code: "file-refused", message };
}
