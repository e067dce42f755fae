import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** One need of a skill, and whether this machine meets it. */
export interface CheckedRequirement {
  /** As written: `bin:git`, `env:GITHUB_TOKEN`, `python>=3.10`. */
  readonly requirement: string;
  /** "unknown" when it takes a program to find out, which is not started for this. */
  readonly met: "yes" | "no" | "unknown";
  /** What was found, or what to do. */
  readonly detail: string;
}

export interface RequirementOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /**
   * Version of a program such as `python`, with numbers only: "3.12.1". A host that may start programs
   * can tell; it should know what it is asked for often.
   */
  readonly versionOf?: (program: string) => Promise<string | undefined>;
}

const MAX_REQUIREMENTS = 50;
const VERSIONED = /^([A-Za-z][\w.+-]*?)(>=|>|==|=|<=|<)v?(\d+(?:\.\d+){0,3})$/;
const PROGRAMS: Readonly<Record<string, readonly string[]>> = { python: ["python3", "python"] };

export async function checkRequirements(
  requires: string,
  options: RequirementOptions,
): Promise<CheckedRequirement[]> {
  const words = requires.split(/[\s,]+/).filter((word) => word !== "");
  return Promise.all(words.slice(0, MAX_REQUIREMENTS).map((word) => check(word, options)));
}

async function check(word: string, options: RequirementOptions): Promise<CheckedRequirement> {
  const result = (met: CheckedRequirement["met"], detail: string) => ({
    requirement: word.slice(0, 200),
    met,
    detail,
  });
  const [, kind, name = ""] = /^(bin|env):(.*)$/.exec(word) ?? [];
  if (kind === "env") {
    const isSet = (options.env[name] ?? "") !== "";
    return isSet ? result("yes", "is set") : result("no", `set the variable ${name}`);
  }
  if (kind === "bin") {
    return findProgram(name, options.env) === undefined
      ? result("no", `install ${name}`)
      : result("yes", "is installed");
  }
  const [, program, comparison, wanted] = VERSIONED.exec(word) ?? [];
  if (program === undefined || comparison === undefined || wanted === undefined) {
    return result("unknown", "is not written as bin:NAME, env:NAME or NAME>=VERSION");
  }
  const version = await versionOf(program, options);
  if (version === undefined) {
    const isThere = (PROGRAMS[program] ?? [program]).some((name) => findProgram(name, options.env));
    return isThere
      ? result("unknown", "is installed; its version was not asked for")
      : result("no", `install ${program} ${comparison} ${wanted}`);
  }
  return compare(version, comparison, wanted)
    ? result("yes", `is ${version}`)
    : result("no", `is ${version}`);
}

async function versionOf(
  program: string,
  options: RequirementOptions,
): Promise<string | undefined> {
  if (program === "node") return process.versions.node;
  try {
    return await options.versionOf?.(program);
  } catch {
    // Then nobody knows; the skill can be used all the same.
    return undefined;
  }
}

/** Looked up in the absolute folders of PATH, never in the working directory. */
function findProgram(name: string, env: RequirementOptions["env"]): string | undefined {
  if (name === "" || /[/\\\0]/.test(name)) return undefined;
  const endings = process.platform === "win32" ? ["", ".exe", ".cmd", ".bat"] : [""];
  for (const folder of (env["PATH"] ?? "").split(delimiter).filter(isAbsolute)) {
    for (const ending of endings) {
      const file = join(folder, name + ending);
      if (isProgram(file)) return file;
    }
  }
  return undefined;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function compare(version: string, comparison: string, wanted: string): boolean {
  const order = compareVersions(version, wanted);
  switch (comparison) {
    case ">=":
      return order >= 0;
    case ">":
      return order > 0;
    case "<=":
      return order <= 0;
    case "<":
      return order < 0;
    default:
      // `=3.10` is met by 3.10.4.
      return (
        compareVersions(version.split(".").slice(0, wanted.split(".").length).join("."), wanted) ===
        0
      );
  }
}

function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split(".").map(Number));
  for (let i = 0; i < 4; i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
