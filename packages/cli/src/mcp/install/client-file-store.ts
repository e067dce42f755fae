import { copyFileSync, constants, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, isAbsolute } from "node:path";
import {
  errorCode,
  readIfPresent,
  replaceAtomic,
  UnusableFileError,
  writeNew,
} from "@skillwright/core/internal";
import { CommandFailure, EXIT } from "../../exit-code.ts";

export interface StoredFile {
  /** Where links lead: the link stays, and what it leads to is replaced. */
  readonly path: string;
  /** Undefined when there is no such file. */
  readonly text: string | undefined;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** Reads a client's file. One that belongs to a project must lie in it. */
export function readClientFile(path: string, project: string | undefined): StoredFile {
  const real = realPath(path);
  if (project !== undefined && !isInside(real, realpathSync(project))) {
    throw new CommandFailure(EXIT.no, `${path} leads out of the project, to ${real}`, {
      hint: "look at the link; with --scope user the file of the user is changed",
    });
  }
  return { path: real, text: readText(real) };
}

function readText(path: string): string | undefined {
  try {
    const bytes = readIfPresent(path, { maxBytes: MAX_BYTES });
    return bytes && new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    if (cause instanceof UnusableFileError) throw new CommandFailure(EXIT.no, cause.message);
    if (!(cause instanceof TypeError)) throw cause;
    throw new CommandFailure(EXIT.no, `${path} is not UTF-8 text`, { cause });
  }
}

/** Replaces the file by rename and gives the path of a backup of what was there. */
export async function writeClientFile(
  { path, text: before }: StoredFile,
  text: string,
): Promise<string | undefined> {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o600;
  let backup: string | undefined;
  await replaceAtomic(path, async (temporary) => {
    writeNew(temporary, text, { mode: mode & 0o777, flush: true });
    // The client may have written meanwhile; that must not be lost.
    if (readText(path) !== before) {
      throw new CommandFailure(EXIT.no, `${path} was changed meanwhile`, { hint: "try again" });
    }
    backup = before === undefined ? undefined : keepCopy(path);
  });
  return backup;
}

function keepCopy(path: string): string {
  for (let count = 1; ; count++) {
    const copy = count === 1 ? `${path}.backup` : `${path}.backup-${count}`;
    try {
      copyFileSync(path, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if (errorCode(error) !== "EEXIST" || count > 1000) throw error;
    }
  }
}

/** Of a file that is not there yet, the real path of the nearest folder that is, and the rest. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
      throw new CommandFailure(EXIT.no, `${path} is a link that leads nowhere`);
    }
    return join(realPath(dirname(path)), basename(path));
  }
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && !way.startsWith("..");
}
