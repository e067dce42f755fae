import type { Skills } from "@skillwright/core";
import { plural, visibleLine } from "@skillwright/core/internal";
import { type ArmOptions, type CaseProblem, type EvalCase, readCases } from "@skillwright/evals";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT } from "../exit-code.ts";
import {
  type OpenedExecutor,
  openExecutor,
  namedTools,
  openSessionSkills,
  openSession,
  type Session,
  requireTrust,
} from "@skillwright/app/internal";
import { relativePath } from "../terminal/relative-path.ts";
import { type CatalogChange, skillAt, withSources } from "./catalog.ts";
import { evalArms } from "./eval-arms.ts";
import type { EvalCommandOptions } from "./eval-options.ts";
import { evalPaths, isPartOf, realPath, skillsAt } from "./eval-paths.ts";

/** Those whose id, title, request, skill or tag has the text; of several texts with a comma, any. */
function selectCases(cases: readonly EvalCase[], filter: string | undefined): readonly EvalCase[] {
  if (filter === undefined) return cases;
  const wanted = filter
    .split(",")
    .map((text) => text.trim().toLowerCase())
    .filter((text) => text !== "");
  return cases.filter(({ id, title, input, tags, origin }) => {
    const texts = [id, title, input, origin.skill ?? "", ...tags].map((text) => text.toLowerCase());
    return wanted.some((one) => texts.some((text) => text.includes(one)));
  });
}

/** A case with this tag takes more than the offline model can do. One with a mock brings its decisions along. */
function needsModel({ tags, mock }: EvalCase): boolean {
  return mock === undefined && tags.includes("needs-model");
}

const MAX_SHOWN = 50;

/** Each with its place. Cases that cannot be read end the command: fewer cases are another eval. */
function showProblems(
  problems: readonly CaseProblem[],
  { keepGoing = false }: Pick<EvalCommandOptions, "keepGoing">,
  console: Console,
): void {
  const errors = problems.filter(({ severity }) => severity === "error");
  const shown = console.quiet
    ? errors
    : [...errors, ...problems.filter((one) => !errors.includes(one))];
  for (const { severity, file, line, message, code, hint } of shown.slice(0, MAX_SHOWN)) {
    const place = `${relativePath(file, console.cwd)}:${line}`;
    const more = hint === undefined ? "" : ` (${hint})`;
    console.note(visibleLine(`${place}: ${severity}: ${message}${more} [${code}]`));
  }
  const hidden = shown.length - MAX_SHOWN;
  if (hidden > 0) console.note(`… and ${hidden} more`);
  if (errors.length === 0) return;
  const count = plural(errors.length, "case or file", "cases or files");
  if (keepGoing) {
    console.note(`warning: ${count} cannot be read, and the others are run without them`);
    return;
  }
  throw new CommandFailure(EXIT.usage, `${count} cannot be read`, {
    hint: "fix them, or run the others with --keep-going",
    code: "cases-unreadable",
  });
}

/** What an eval works with. */
export interface EvalWorld {
  readonly session: Session;
  readonly options: EvalCommandOptions;
  readonly console: Console;
  readonly paths: readonly string[];
  /** The whole catalog. */
  readonly skills: Skills;
  readonly cases: readonly EvalCase[];
  /** A path or a filter left some of the project's cases out. */
  readonly isPart: boolean;
  readonly problems: readonly CaseProblem[];
  readonly arms: readonly ArmOptions[];
  /** What makes `skills` of the catalog of this command line. */
  readonly change: CatalogChange;
  readonly executor: OpenedExecutor;
  /** Temporary, for working directories and other versions. */
  readonly folder: string;
}

/** The skills as this command line sees them, with those at the paths. */
export async function openEvalSkills(
  given: readonly string[],
  options: EvalCommandOptions,
  console: Console,
): Promise<Pick<EvalWorld, "session" | "skills" | "paths" | "change">> {
  namedTools(options);
  const opened = await openSession(options, console);
  const found = await openSessionSkills(opened, options, console);
  const paths = await evalPaths(given, opened.project, options, console);
  const { session, skills } = await requireTrust(opened, found, options, console);
  const added = options.root === undefined ? await missingSkills(paths, skills) : [];
  const sources = added.map((folder) => skillAt(folder, "project"));
  const change = withSources(sources, session.projectTrusted);
  if (added.length === 0) return { session, skills, paths, change };
  const all = await openSessionSkills(session, options, console, change);
  return { session, skills: all, paths, change };
}

/** Gives the world to the work, and takes away what was temporary. */
export async function withEvalWorld<Result>(
  given: readonly string[],
  options: EvalCommandOptions,
  console: Console,
  work: (world: EvalWorld) => Promise<Result>,
): Promise<Result> {
  const { session, skills, paths, change } = await openEvalSkills(given, options, console);
  const executor = openExecutor(session, options);
  const { cases: read, problems } = await readCases(paths, { cwd: console.cwd });
  showProblems(problems, options, console);
  const selected = withTrials(selectCases(read, options.filter), options);
  requireCases(selected, read, paths, console);
  const cases = options.replay === undefined ? forModel(selected, options, console) : selected;
  requireTrustedSkills(cases, skills);
  const folder = await mkdtemp(join(tmpdir(), "skillwright-eval-"));
  try {
    const arms = await evalArms({ session, options, console, skills, change, cases, folder });
    return await work({
      session,
      options,
      console,
      paths,
      skills,
      cases,
      isPart: options.filter !== undefined || isPartOf(session.project, paths, given, console.cwd),
      problems,
      arms,
      change,
      executor,
      folder,
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What the command line says counts, also against what a file says. */
function withTrials(
  cases: readonly EvalCase[],
  { trials }: EvalCommandOptions,
): readonly EvalCase[] {
  if (trials === undefined) return cases;
  return cases.map((one) => {
    const { trials: _, ...rest } = one;
    return rest;
  });
}

/** The offline model leaves out cases that need a language model, and reports how many. */
function forModel(
  selected: readonly EvalCase[],
  { model = "offline" }: EvalCommandOptions,
  console: Console,
): readonly EvalCase[] {
  const cases = model === "offline" ? selected.filter((one) => !needsModel(one)) : selected;
  const count = selected.length - cases.length;
  if (count === 0) return cases;
  const left = `${count} ${count === 1 ? "case needs" : "cases need"} a language model`;
  const hint = "name one with --model <provider:name>";
  if (cases.length === 0) throw new CommandFailure(EXIT.missing, left, { hint });
  console.note(`${left} and ${count === 1 ? "is" : "are"} left out on the offline model.`);
  return cases;
}

/** Skills at the paths that are not in the catalog, or behind another of the same name. */
async function missingSkills(paths: readonly string[], skills: Skills): Promise<string[]> {
  const known = new Set(skills.all.flatMap(({ path, alsoAt }) => [path, ...alsoAt]).map(realPath));
  return (await skillsAt(paths)).filter((folder) => !known.has(folder));
}

function requireCases(
  cases: readonly EvalCase[],
  read: readonly EvalCase[],
  paths: readonly string[],
  { cwd }: Console,
): void {
  if (cases.length > 0) return;
  if (read.length > 0) {
    throw new CommandFailure(EXIT.missing, `no case of ${read.length} matches --filter`);
  }
  const where = paths.length === 0 ? cwd : paths.join(", ");
  throw new CommandFailure(EXIT.missing, `there are no cases in ${where}`, {
    hint: "cases lie in evals/ of a skill or in .agent/evals; see docs/evals.md",
  });
}

/** All cases of a skill that nobody may use would fail, and not because of the skill. */
function requireTrustedSkills(cases: readonly EvalCase[], skills: Skills): void {
  const untrusted = new Set(skills.all.flatMap(({ name, trusted }) => (trusted ? [] : [name])));
  const tested = new Set(cases.flatMap(({ origin }) => origin.skill ?? []));
  const names = [...tested].filter((name) => untrusted.has(name));
  if (names.length === 0) return;
  const what = names.length === 1 ? "the skill" : "the skills";
  throw new CommandFailure(
    EXIT.usage,
    `${what} ${names.join(", ")} of these cases are not trusted`,
    {
      hint: "look at them, then: skillwright trust, or --trust for this run",
    },
  );
}
