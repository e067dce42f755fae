import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { temporaryPath } from "../directory/temporary-path.ts";

/** `$XDG_STATE_HOME/skillwright`, or the like: what the user decided, kept out of every project. */
export function defaultStateDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const base = env["XDG_STATE_HOME"];
  const folder =
    base === undefined || base === "" ? join(env["HOME"] ?? homedir(), ".local/state") : base;
  return join(folder, "skillwright");
}

/**
 * The JSON object in a file; undefined when there is no such file. Throws when it is damaged or of
 * another version, since a decision must not be misread.
 */
export function readStateFile(file: string, version: number): Record<string, unknown> | undefined {
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`${file} does not hold a JSON object`);
  }
  const state = value as Record<string, unknown>;
  if ((state["version"] ?? version) === version) return state;
  throw new TypeError(`${file} is of version ${String(state["version"])}, not ${version}`);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

/** Appears by rename, readable only by its owner. */
export function writeStateFile(file: string, value: object): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = temporaryPath(file);
  try {
    writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
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
