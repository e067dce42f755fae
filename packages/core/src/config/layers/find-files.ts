import { lstatSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { errorCode } from "../json/read-json-file.ts";
import type { Environment } from "./environment-options.ts";
import type { Origin } from "./given-option.ts";

export interface ConfigurationFile extends Origin {
  readonly file: string;
}

export interface FindFilesOptions {
  readonly cwd: string;
  readonly project: string;
  readonly home: string;
  readonly env: Environment;
  readonly configFile: string | undefined;
}

export interface FoundFiles {
  /** From the weakest to the strongest; each must be read or fail. */
  readonly user: readonly ConfigurationFile[];
  readonly project: readonly ConfigurationFile[];
}

/** The configuration files there are. One named by hand is there whether it exists or not. */
export function findFiles(options: FindFilesOptions): FoundFiles {
  const { cwd, project, configFile } = options;
  const named = configFile === undefined ? undefined : resolve(cwd, configFile);
  const user = named === undefined ? userFiles(options).filter(mayExist) : [named];
  const own = [join(project, "appsettings.json"), join(project, ".agent", "config.json")];
  // In the home directory the project's file is the user's.
  const taken = new Set(user.map(identity));
  const ownFiles = own.filter((file) => mayExist(file) && !taken.has(identity(file)));
  return {
    user: user.map((file) => ({ layer: "user", file })),
    project: ownFiles.map((file) => ({
      layer: file.endsWith("appsettings.json") ? "appsettings" : "project",
      file,
    })),
  };
}

/** Where the user's configuration is written; the last of the files that are read. */
export function userConfigurationFile(home: string, env: Environment): string {
  const base = env["XDG_CONFIG_HOME"] ?? "";
  return join(isAbsolute(base) ? base : join(home, ".config"), "skillwright", "config.json");
}

function userFiles({ home, env }: FindFilesOptions): string[] {
  return [join(home, ".agent", "config.json"), userConfigurationFile(home, env)];
}

/** What may be there counts as there, so that reading it fails instead of losing it silently. */
function mayExist(file: string): boolean {
  try {
    lstatSync(file);
    return true;
  } catch (error) {
    // Below a link that leads to itself there is nothing either.
    return !["ENOENT", "ENOTDIR", "ELOOP"].includes(errorCode(error) ?? "");
  }
}

function identity(file: string): string {
  try {
    const { dev, ino } = statSync(file);
    return `${dev}:${ino}`;
  } catch {
    return file;
  }
}
