import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { temporaryPath } from "../directory/temporary-path.ts";
import { StateFileError } from "./state-file-error.ts";

/** Far more than the decisions of any user. */
const MAX_BYTES = 16 * 1024 * 1024;
/** An index of very many skills; a larger file is not one of ours. */
export const MAX_CACHE_BYTES = 512 * 1024 * 1024;
/** Windows has no such flag. */
const NO_BLOCKING = (constants as Readonly<Record<string, number | undefined>>)["O_NONBLOCK"] ?? 0;

/** `$XDG_STATE_HOME/skillwright`, or the like: what the user decided, kept out of every project. */
export function defaultStateDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const base = env["XDG_STATE_HOME"] ?? "";
  // A relative one would lead into whatever project is open.
  const folder = isAbsolute(base) ? base : join(env["HOME"] ?? homedir(), ".local/state");
  return join(folder, "skillwright");
}

/**
 * The JSON object in a file; undefined when there is no such file. Throws when it is damaged or of
 * another version, since a decision must not be misread.
 */
export function readStateFile(file: string, version: number): Record<string, unknown> | undefined {
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  const value = parse(text, file);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw damaged(`${file} does not hold a JSON object`);
  }
  const state = value as Record<string, unknown>;
  if ((state["version"] ?? version) === version) return state;
  throw damaged(`${file} is of version ${String(state["version"])}, not ${version}`);
}

export function damaged(message: string, cause?: unknown): StateFileError {
  const hint = "fix or remove it; what was decided in it is not known until then";
  return new StateFileError("damaged", message, { cause, hint });
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(`${file} is not JSON`, cause);
  }
}

function readIfThere(file: string): string | undefined {
  try {
    return readRegularFile(file).toString("utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** The bytes of a regular file. Reading anything else, such as a FIFO, may never end. */
export function readRegularFile(file: string, maxBytes = MAX_BYTES): Buffer {
  const descriptor = openSync(file, constants.O_RDONLY | NO_BLOCKING);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw damaged(`${file} is not a regular file`);
    if (stats.size > maxBytes) throw damaged(`${file} is larger than ${maxBytes} bytes`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Appears by rename, readable only by its owner. */
export function writeStateFile(file: string, value: object): void {
  makeFolder(dirname(file));
  const temporary = temporaryPath(file);
  try {
    writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/**
 * Makes a folder and those above it, for its owner only unless told otherwise. Node's own way of
 * doing so never comes back where a file system refuses as if a folder were not there, as /proc does.
 */
export function makeFolder(path: string, mode = 0o700): void {
  if (isFolder(path)) return;
  if (dirname(path) !== path) makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Decisions are kept by real path, so that a link is not another folder. */
export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
