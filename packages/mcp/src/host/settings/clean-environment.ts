import { delimiter, isAbsolute } from "node:path";
import type { Environment } from "./expand-variables.ts";

/** What a program needs to find itself, its libraries and its language, and nothing that is secret. */
const PASSED = [
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LOGNAME",
  "TMPDIR",
  "TZ",
  "USER",
  // Windows
  "APPDATA",
  "COMSPEC",
  "LOCALAPPDATA",
  "PATHEXT",
  "PROGRAMFILES",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
];

/** The environment of a server: built from these and what its settings name. */
export function cleanEnvironment(
  env: Environment,
  named: Readonly<Record<string, string>>,
): Record<string, string> {
  const built: Record<string, string> = {};
  for (const name of PASSED) {
    const value = env[name];
    if (value !== undefined) built[name] = value;
  }
  built["PATH"] = absoluteFolders(env["PATH"] ?? "");
  return { ...built, ...named };
}

/** A relative folder would be one of whatever project is open. */
function absoluteFolders(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter);
}
