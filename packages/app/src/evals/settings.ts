import type { Budget } from "@skillwright/agent";
import {
  defaultSources,
  directorySource,
  type FoundSkill,
  type SkillRecord,
  type Skills,
  type SkillSource,
} from "@skillwright/core";
import {
  combineDigests,
  combinedSource,
  fileDigests,
  filteredSource,
  findSkills,
  type RegistryOptions,
} from "@skillwright/core/internal";
import { existsSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { AppFailure } from "../failure.ts";
import type { AppHost, PlaceOptions } from "../host.ts";
import type { AgentOptions } from "../runs/agent-session.ts";
import { existingRoots } from "../session/registry.ts";

/** What an eval is run with; in words, as a person or a form gives it. */
export interface EvalSettings extends AgentOptions {
  /** Also without the skill. */
  readonly without?: boolean;
  /** Also with another version of it: a folder, or a commit of the repository it lies in. */
  readonly against?: string;
  readonly record?: string;
  readonly replay?: string;
  readonly filter?: string;
  /** Counts against what files say. */
  readonly trials?: string;
  /** False: none. */
  readonly baseline?: string | false;
  readonly updateBaseline?: boolean;
  readonly resume?: boolean;
  readonly keepGoing?: boolean;
  readonly judge?: string;
}

/** The numbers of an eval, checked. */
export interface EvalNumbers {
  readonly trials: number;
  readonly jobs: number;
  readonly timeoutMs: number;
  readonly seed: number;
  readonly requestsPerMinute?: number;
  readonly minimumPassRate?: number;
  readonly maximumErrorRate?: number;
  /** Whether an inconclusive verdict fails. */
  readonly failWhenInconclusive: boolean;
  /** Of one trial. */
  readonly trialBudget: Partial<Budget>;
  /** Of the whole eval. */
  readonly budget: Pick<Partial<Budget>, "cost" | "timeMs">;
  readonly margin?: number;
}

/** What is done one after another in an eval. */
export interface EvalWork {
  readonly noun: "trials" | "comparisons" | "further trials";
  readonly total: number;
  /** From an earlier run. */
  readonly done: number;
  /** Somebody asked to go on with that run. */
  readonly isResumed: boolean;
}

/** Who watches an eval, and may end it. */
export interface EvalWatcher {
  readonly onBegin?: (work: EvalWork) => void;
  readonly onResult?: (result: {
    readonly outcome: "pass" | "fail" | "error" | "unjudged";
  }) => void;
  readonly onEnd?: () => void;
  /** Ends it after the trials that are under way. */
  readonly stop?: AbortSignal;
  /** Ends it now, with the results that are there. */
  readonly signal?: AbortSignal;
}

const MAX_LEVELS = 4;

/** Where cases are looked for: what was named, else the project's skills and its `.agent/evals`. */
export async function evalPaths(
  paths: readonly string[],
  project: string,
  options: PlaceOptions,
  host: AppHost,
): Promise<readonly string[]> {
  if (paths.length > 0) return paths.map((path) => casesPath(path, host));
  const roots = await existingRoots(options, { ...host, cwd: project });
  const own = join(project, ".agent", "evals");
  const isSkill = hasSkillFile(host.cwd);
  return [...(isSkill ? [host.cwd] : roots), ...(existsSync(own) ? [own] : [])];
}

/** A pipe would be waited for, and a device never ends. */
function casesPath(given: string, { cwd }: AppHost): string {
  const path = resolve(cwd, given);
  // What cannot be looked at is said where cases are read.
  const stats = statIfThere(path);
  if (stats === undefined || stats.isFile() || stats.isDirectory()) return path;
  throw new AppFailure("usage", `${given} is neither a file nor a folder`, {
    hint: "name a skill, a folder of skills, or a file with cases",
  });
}

/** Whether the paths, or a working directory that is a skill, leave cases of the project out. */
export function isPartOf(
  project: string,
  paths: readonly string[],
  given: readonly string[],
  cwd: string,
): boolean {
  if (given.length === 0) return hasSkillFile(cwd) && realPath(cwd) !== realPath(project);
  const whole = realPath(project);
  return !paths.some(
    (path) => whole === realPath(path) || whole.startsWith(`${realPath(path)}${sep}`),
  );
}

/** Folders of the skills that the paths hold or lie in; real, each once. */
export async function skillsAt(paths: readonly string[]): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const path of paths) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) continue;
    const around = skillAround(stats.isDirectory() ? path : dirname(path));
    const below = around === undefined && stats.isDirectory() ? await findSkills(path) : undefined;
    for (const folder of around === undefined ? (below?.directories ?? []) : [around]) {
      found.add(realPath(folder));
    }
  }
  return [...found];
}

/** The nearest folder at or above that is a skill, as cases count it. */
function skillAround(folder: string, levels = MAX_LEVELS): string | undefined {
  if (hasSkillFile(folder)) return folder;
  const above = dirname(folder);
  return levels <= 1 || above === folder ? undefined : skillAround(above, levels - 1);
}

function hasSkillFile(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.toLowerCase() === "skill.md");
  } catch {
    return false;
  }
}

function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** From the working directory, with forward slashes on every platform. */
export function shownPath(file: string, { cwd }: Pick<AppHost, "cwd">): string {
  const path = relative(cwd, resolve(cwd, file)).split(sep).join("/");
  return path === "" ? "." : path;
}

/** Of a skill without its evals. */
export async function skillContent(skill: SkillRecord, skills: Skills): Promise<string> {
  if (skill.path.startsWith("inline:")) return skills.digest(skill);
  try {
    const files = await fileDigests(skill.path);
    return combineDigests(files.filter(({ path }) => !/^evals?\//.test(path)));
  } catch {
    return "unreadable";
  }
}

export type CatalogChange = (options: RegistryOptions) => RegistryOptions;

/** The catalog of this command line with these sources before all others; they are trusted by this decision. */
export function withSources(sources: readonly SkillSource[], isTrusted: boolean): CatalogChange {
  const roots = new Set(sources.flatMap((source) => source.roots));
  return (options) => ({
    ...options,
    roots: [...sources, ...sourcesOf(options)],
    isTrusted: (skill, onlyFor) => {
      if (isTrusted && roots.has(skill.root)) return true;
      return options.isTrusted?.(skill, onlyFor) ?? true;
    },
  });
}

/** The same catalog without skills of these names, wherever they lie. */
export function withoutSkills(names: readonly string[]): CatalogChange {
  const left = new Set(names.map(foldName));
  const keep = ({ metadata }: FoundSkill) => !left.has(foldName(metadata?.name ?? ""));
  return (options) => ({
    ...options,
    roots: [filteredSource(combinedSource(sourcesOf(options)), keep)],
  });
}

/** After each other. */
export function chained(...changes: readonly CatalogChange[]): CatalogChange {
  return (options) => changes.reduce((changed, change) => change(changed), options);
}

/** One skill by its folder, whatever lies in it. */
export function skillAt(folder: string, label: string): SkillSource {
  const isIt = ({ directory }: FoundSkill) =>
    directory !== undefined && realPath(directory) === realPath(folder);
  return filteredSource(directorySource(folder, { label }), isIt);
}

/** As the registry compares names. */
export function foldName(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

function sourcesOf(options: RegistryOptions): SkillSource[] {
  const { roots, cwd = process.cwd() } = options;
  if (roots === undefined) return defaultSources({ ...options, cwd });
  return roots.map((root) =>
    typeof root === "string" ? directorySource(root, { label: "project" }) : root,
  );
}
