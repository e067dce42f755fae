import { findOption, isSection, OPTION_PATHS, type OptionPlace } from "../option-path.ts";
import type { GivenOption } from "./given-option.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentOptions {
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
