import { lstatSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { errorCode } from "./read-json-file.ts";
import { findOption, isSection, OPTION_PATHS, type OptionPlace } from "./options.ts";
import type { GivenOption, Origin } from "./file-options.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

interface EnvironmentOptions {
  readonly options: readonly GivenOption[];
  /** Variables that are meant for us and name no option. */
  readonly unknown: readonly string[];
}

const PREFIX = "SKILLWRIGHT_";

/** The options that `SKILLWRIGHT_*` variables give. Other variables of that prefix are not ours. */
export function environmentOptions(env: Environment): EnvironmentOptions {
  const options: GivenOption[] = [];
  const unknown: string[] = [];
  for (const [variable, value] of Object.entries(env)) {
    // Windows keeps the case in which a variable was first set.
    const name = variable.toUpperCase();
    if (value === undefined || !name.startsWith(PREFIX)) continue;
    const place = placeOf(name);
    if (place !== undefined) {
      const origin = { layer: "environment", variable } as const;
      options.push({ ...place, origin, value, isText: true });
    } else if (namesSection(name)) {
      unknown.push(variable);
    }
  }
  return { options, unknown };
}

/** `skillTools.cacheSkills` → `SKILLWRIGHT_SKILL_TOOLS__CACHE_SKILLS`. */
export function environmentName(path: string): string {
  return PREFIX + path.split(".").map(constantCase).join("__");
}

function placeOf(variable: string): OptionPlace | undefined {
  const path = OPTION_PATHS.find((path) => environmentName(path) === variable);
  if (path !== undefined) return { path };
  // Rule codes are kebab-case, so a variable can name one; entries of other options need JSON.
  const rules = `${environmentName("lint.rules")}__`;
  if (!variable.startsWith(rules)) return undefined;
  const code = variable.slice(rules.length).toLowerCase().replaceAll("_", "-");
  return findOption(`lint.rules.${code}`);
}

function namesSection(variable: string): boolean {
  return OPTION_PATHS.some((path) => {
    const [section = ""] = path.split(".");
    return isSection(section) && variable.startsWith(`${environmentName(section)}__`);
  });
}

function constantCase(name: string): string {
  return name.replace(/[A-Z]/g, "_$&").toUpperCase();
}

export interface ConfigurationFile extends Origin {
  readonly file: string;
}

interface FindFilesOptions {
  readonly cwd: string;
  readonly project: string;
  readonly home: string;
  readonly env: Environment;
  readonly configFile: string | undefined;
}

interface FoundFiles {
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
