import { randomBytes } from "node:crypto";
import { mkdir, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

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
export async function readStateFile(
  file: string,
  version: number,
): Promise<Record<string, unknown> | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new TypeError(`${file} does not hold a JSON object`);
  }
  const state = value as Record<string, unknown>;
  if ((state["version"] ?? version) === version) return state;
  throw new TypeError(`${file} is of version ${String(state["version"])}, not ${version}`);
}

/** Appears by rename, readable only by its owner. */
export async function writeStateFile(file: string, value: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomBytes(6).toString("hex")}`;
  try {
    await writeFile(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Decisions are kept by real path, so that a link is not another folder. */
export async function realFolder(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
