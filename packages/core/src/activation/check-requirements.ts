import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";

/** One need of a skill, and whether this machine meets it. */
export interface CheckedRequirement {
  /** As written: `bin:git`, `env:GITHUB_TOKEN`, `python>=3.10`. */
  readonly requirement: string;
  /** "unknown" when only running a program could tell: checking starts no process. */
  readonly met: "yes" | "no" | "unknown";
  /** What was found, or what to do. */
  readonly detail: string;
}

export interface RequirementOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A requirement such as `python>=3.10`. */
export interface VersionRequirement {
  /** As written. */
  readonly requirement: string;
  readonly program: string;
  /** Whether a version such as "3.12.1" satisfies it. */
  readonly isMetBy: (version: string) => boolean;
}

const MAX_REQUIREMENTS = 50;
const VERSIONED = /^([A-Za-z][\w.+-]*?)(>=|>|==|=|<=|<)v?(\d+(?:\.\d+){0,3})$/;
const PROGRAMS: Readonly<Record<string, readonly string[]>> = { python: ["python3", "python"] };

/**
 * Checks `metadata.requires`, words separated by blanks or commas, without starting a process. Values
 * of variables stay secret.
 */
export function checkRequirements(
  requires: string,
  options: RequirementOptions,
): CheckedRequirement[] {
  return wordsOf(requires).map((word) => check(word, options));
}

/** The versions that `metadata.requires` asks for. */
export function versionRequirements(requires: string): readonly VersionRequirement[] {
  return wordsOf(requires).flatMap((word) => versionRequirement(word) ?? []);
}

function wordsOf(requires: string): readonly string[] {
  const words = requires.split(/[\s,]+/).filter((word) => word !== "");
  return words.slice(0, MAX_REQUIREMENTS);
}

function versionRequirement(word: string): VersionRequirement | undefined {
  const [, program, comparison, wanted] = VERSIONED.exec(word) ?? [];
  if (program === undefined || comparison === undefined || wanted === undefined) return undefined;
  const isMetBy = (version: string) => compare(version, comparison, wanted);
  return { requirement: word.slice(0, 200), program, isMetBy };
}

function check(word: string, options: RequirementOptions): CheckedRequirement {
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
  const versioned = versionRequirement(word);
  if (versioned === undefined) {
    return result("unknown", "is not written as bin:NAME, env:NAME or NAME>=VERSION");
  }
  const { program } = versioned;
  if (program === "node") {
    const { node } = process.versions;
    return result(versioned.isMetBy(node) ? "yes" : "no", `is ${node}`);
  }
  const names = Object.hasOwn(PROGRAMS, program) ? (PROGRAMS[program] ?? []) : [program];
  return names.some((name) => findProgram(name, options.env) !== undefined)
    ? result("unknown", "is installed; loading a skill checks no versions")
    : result("no", `install ${word.slice(0, 200)}`);
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
