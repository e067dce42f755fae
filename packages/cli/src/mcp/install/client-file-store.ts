import { randomBytes } from "node:crypto";
import {
  copyFileSync,
  constants,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, isAbsolute } from "node:path";
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
  const stats = statSync(real, { throwIfNoEntry: false });
  if (stats === undefined) return { path: real, text: undefined };
  if (!stats.isFile() || stats.size > MAX_BYTES) {
    throw new CommandFailure(EXIT.no, `${path} is no file that could be changed`);
  }
  const bytes = readFileSync(real);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path: real, text };
  } catch (cause) {
    throw new CommandFailure(EXIT.no, `${path} is no text in UTF-8`, { cause });
  }
}

/** Replaces the file all at once. What was there is kept beside it; its path is given back. */
export function writeClientFile(
  { path, text: before }: StoredFile,
  text: string,
): string | undefined {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString("hex")}`);
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o600;
  try {
    writeFileSync(temporary, text, { flag: "wx", mode: mode & 0o777, flush: true });
    // A client may have written meanwhile; what it wrote is not to be lost.
    const now = lstatSync(path, { throwIfNoEntry: false }) && readFileSync(path, "utf8");
    if (now !== before) {
      throw new CommandFailure(EXIT.no, `${path} was changed meanwhile`, { hint: "try again" });
    }
    const backup = before === undefined ? undefined : keepCopy(path);
    renameSync(temporary, path);
    return backup;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function keepCopy(path: string): string {
  for (let count = 1; ; count++) {
    const copy = count === 1 ? `${path}.backup` : `${path}.backup-${count}`;
    try {
      copyFileSync(path, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || count > 1000) throw error;
    }
  }
}

/** Of a file that is not there yet, the real path of the nearest folder that is, and the rest. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
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
