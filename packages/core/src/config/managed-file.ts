import { lstatSync, realpathSync, type Stats } from "node:fs";
import { dirname, isAbsolute } from "node:path";
import { SkillwrightError } from "../skillwright-error.ts";
import type { ConfigurationFile, Environment } from "./find-files.ts";
import { errorCode } from "./read-json-file.ts";

const DEFAULT_FILE = "/etc/skillwright/config.json";
const VARIABLE = "SKILLWRIGHT_MANAGED_CONFIG";
const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;

/**
 * The administrator's file, if there is one. It is used or it is an error, never passed over: only
 * root may be able to change it, or to put another in its place.
 */
export function findManagedFile(
  env: Environment,
  defaultFile = DEFAULT_FILE,
): ConfigurationFile | undefined {
  const named = env[VARIABLE] ?? "";
  const isWindows = process.platform === "win32";
  const hasDefault = !isWindows && exists(defaultFile);
  if (named === "" && !hasDefault) return undefined;
  const file = named === "" ? defaultFile : named;
  if (isWindows) throw unusable(file, "they are not supported on Windows");
  if (!isAbsolute(file)) throw unusable(file, `${VARIABLE} must be an absolute path`);
  // Users set variables too: one must not replace what the machine's administrator wrote.
  if (hasDefault && file !== defaultFile) {
    throw unusable(file, `${VARIABLE} cannot replace ${defaultFile}`);
  }
  for (const folder of new Set([...foldersAbove(file), ...foldersAbove(realPath(file))])) {
    requireRoots(file, folder, lstat(file, folder));
  }
  const stats = lstat(file, file);
  if (!stats.isFile()) throw unusable(file, "it must be a regular file, not a link or a folder");
  requireRoots(file, file, stats);
  return { layer: "managed", file };
}

function foldersAbove(file: string): string[] {
  const folder = dirname(file);
  return folder === file ? [] : [...foldersAbove(folder), folder];
}

function requireRoots(file: string, path: string, stats: Stats): void {
  const what = path === file ? "it" : `the folder ${JSON.stringify(path)}`;
  if (stats.uid !== 0) throw unusable(file, `${what} must be owned by root`, `chown root ${path}`);
  // Links have no permissions, and in a sticky folder nobody else can replace what is root's.
  const isSafe = stats.isSymbolicLink() || (stats.isDirectory() && (stats.mode & STICKY) !== 0);
  if (!isSafe && (stats.mode & WRITABLE_BY_OTHERS) !== 0) {
    throw unusable(file, `only root may write to ${what}`, `chmod go-w ${path}`);
  }
}

function exists(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw unusable(file, errorCode(error) ?? "unknown reason");
  }
}

function lstat(file: string, path: string): Stats {
  try {
    return lstatSync(path);
  } catch (error) {
    throw unusable(file, errorCode(error) ?? "unknown reason");
  }
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    throw unusable(file, errorCode(error) ?? "unknown reason");
  }
}

export function unusable(file: string, reason: string, fix = "ask your administrator") {
  const message = `the managed settings ${JSON.stringify(file)} cannot be used: ${reason}; ${fix}`;
  return new SkillwrightError("configuration-unreadable", message);
}
