import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { readIfPresent, UnusableFileError, writeAtomic } from "../internal/files.ts";
import { waitForLockSync } from "../internal/lock.ts";

/** Far more than any user decides. */
const MAX_BYTES = 16 * 1024 * 1024;
/** What is done under the lock takes milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Why a file with the user's decisions cannot be used.
 *
 * - `damaged`: it does not hold what it should, so what was decided is unknown.
 * - `locked`: another process holds it and does not release it.
 */
export class StateFileError extends Error {
  override readonly name = "StateFileError";
  readonly code: "damaged" | "locked";
  /** What to do about it. */
  readonly hint: string;

  constructor(
    code: StateFileError["code"],
    message: string,
    options: ErrorOptions & { readonly hint: string },
  ) {
    super(message, options);
    this.code = code;
    this.hint = options.hint;
  }
}

/** `$XDG_STATE_HOME/skillwright`, or the like: the user's decisions, kept out of every project. */
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
  const text = readText(file);
  if (text === undefined) return undefined;
  const value = parse(text, file);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw damaged(`${file} does not hold a JSON object`);
  }
  const state = value as Record<string, unknown>;
  if ((state["version"] ?? version) === version) return state;
  throw damaged(`${file} has version ${String(state["version"])}; this program reads ${version}`);
}

/** Readable only by its owner, and replaced in one step. */
export function writeStateFile(file: string, value: object): void {
  writeAtomic(file, `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Does the work while no other process does such work on the same file: reading it, changing it and
 * writing it back. Waits for its turn.
 */
export function withStateLock<Result>(
  file: string,
  work: () => Result,
  patienceMs = PATIENCE_MS,
): Result {
  const lock = waitForLockSync(`${file}.lock`, patienceMs);
  if (!lock.ok) {
    throw new StateFileError("locked", `another process is holding ${lock.file}`, {
      hint: `Try again. If no other skillwright is running, remove ${lock.file}.`,
    });
  }
  try {
    return work();
  } finally {
    lock.release();
  }
}

export function damaged(message: string, cause?: unknown): StateFileError {
  const hint = "Repair or remove the file. Until then, the decisions in it are unknown.";
  return new StateFileError("damaged", message, { cause, hint });
}

/** Decisions are kept by real path, so that a link does not count as another folder. */
export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function readText(file: string): string | undefined {
  try {
    return readIfPresent(file, { maxBytes: MAX_BYTES, follow: true })?.toString("utf8");
  } catch (error) {
    throw error instanceof UnusableFileError ? damaged(error.message, error) : error;
  }
}

function parse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damaged(`${file} is not JSON`, cause);
  }
}
