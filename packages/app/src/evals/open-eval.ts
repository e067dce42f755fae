import type { Skills } from "@skillwright/core";
import { plural, visibleLine } from "@skillwright/core/internal";
import { type ArmOptions, type CaseProblem, type EvalCase, readCases } from "@skillwright/evals";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AppHost } from "../host.ts";
import { AppFailure } from "../failure.ts";
import { type OpenedExecutor, openExecutor } from "../runtime/compose-runtime.ts";
import { namedTools } from "../runtime/session-runtime.ts";
import { openSessionSkills, requireTrust } from "../session/skills.ts";
import { openSession, type Session } from "../session/session.ts";
import { evalArms } from "./arms.ts";
import {
  type CatalogChange,
  evalPaths,
  type EvalSettings,
  isPartOf,
  realPath,
  shownPath,
  skillAt,
  skillsAt,
  withSources,
} from "./settings.ts";

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
  { keepGoing = false }: Pick<EvalSettings, "keepGoing">,
  host: AppHost,
): void {
  const errors = problems.filter(({ severity }) => severity === "error");
  const shown = host.quiet
    ? errors
    : [...errors, ...problems.filter((one) => !errors.includes(one))];
  for (const { severity, file, line, message, code, hint } of shown.slice(0, MAX_SHOWN)) {
    const place = `${shownPath(file, host)}:${line}`;
    const more = hint === undefined ? "" : ` (${hint})`;
    host.note(visibleLine(`${place}: ${severity}: ${message}${more} [${code}]`));
  }
  const hidden = shown.length - MAX_SHOWN;
  if (hidden > 0) host.note(`… and ${hidden} more`);
  if (errors.length === 0) return;
  const count = plural(errors.length, "case or file", "cases or files");
  if (keepGoing) {
    host.note(`warning: ${count} cannot be read, and the others are run without them`);
    return;
  }
  throw new AppFailure("usage", `${count} cannot be read`, {
    hint: "fix them, or run the others with --keep-going",
    code: "cases-unreadable",
  });
}

/** What an eval works with: plain data, and the ports of whoever opened it. */
export interface OpenedEval {
  readonly session: Session;
  readonly options: EvalSettings;
  readonly host: AppHost;
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
  settings: EvalSettings,
  host: AppHost,
): Promise<Pick<OpenedEval, "session" | "skills" | "paths" | "change">> {
  const options = { ...settings, holdsOutExamples: true };
  namedTools(options);
  const opened = await openSession(options, host);
  const found = await openSessionSkills(opened, options, host);
  const paths = await evalPaths(given, opened.project, options, host);
  const { session, skills } = await requireTrust(opened, found, options, host);
  const added = options.root === undefined ? await missingSkills(paths, skills) : [];
  const sources = added.map((folder) => skillAt(folder, "project"));
  const change = withSources(sources, session.projectTrusted);
  if (added.length === 0) return { session, skills, paths, change };
  const all = await openSessionSkills(session, options, host, change);
  return { session, skills: all, paths, change };
}

/** Opens an eval: reads the cases at the paths and finds the skills of every arm. Runs nothing. */
export async function openEval(
  given: readonly string[],
  settings: EvalSettings,
  host: AppHost,
): Promise<OpenedEval & { readonly close: () => Promise<void> }> {
  const options = { ...settings, holdsOutExamples: true };
  const { session, skills, paths, change } = await openEvalSkills(given, options, host);
  const executor = openExecutor(session, options);
  const { cases: read, problems } = await readCases(paths, { cwd: host.cwd });
  showProblems(problems, options, host);
  const selected = withTrials(selectCases(read, options.filter), options);
  requireCases(selected, read, paths, host);
  const cases = options.replay === undefined ? forModel(selected, options, host) : selected;
  requireTrustedSkills(cases, skills);
  const isPart = options.filter !== undefined || isPartOf(session.project, paths, given, host.cwd);
  const folder = await mkdtemp(join(tmpdir(), "skillwright-eval-"));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    const arms = await evalArms({ session, options, host, skills, change, cases, folder });
    const opened = { session, options, host, paths, skills, cases, isPart, problems };
    return { ...opened, arms, change, executor, folder, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Opens an eval for as long as the work takes. */
export async function withEval<Result>(
  given: readonly string[],
  options: EvalSettings,
  host: AppHost,
  work: (opened: OpenedEval) => Promise<Result>,
): Promise<Result> {
  const { close, ...opened } = await openEval(given, options, host);
  try {
    return await work(opened);
  } finally {
    await close();
  }
}

/** What the command line says counts, also against what a file says. */
function withTrials(cases: readonly EvalCase[], { trials }: EvalSettings): readonly EvalCase[] {
  if (trials === undefined) return cases;
  return cases.map((one) => {
    const { trials: _, ...rest } = one;
    return rest;
  });
}

/** The offline model leaves out cases that need a language model, and reports how many. */
function forModel(
  selected: readonly EvalCase[],
  { model = "offline" }: EvalSettings,
  host: AppHost,
): readonly EvalCase[] {
  const cases = model === "offline" ? selected.filter((one) => !needsModel(one)) : selected;
  const count = selected.length - cases.length;
  if (count === 0) return cases;
  const left = `${count} ${count === 1 ? "case needs" : "cases need"} a language model`;
  const hint = "name one with --model <provider:name>";
  if (cases.length === 0) throw new AppFailure("missing", left, { hint });
  host.note(`${left} and ${count === 1 ? "is" : "are"} left out on the offline model.`);
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
  { cwd }: AppHost,
): void {
  if (cases.length > 0) return;
  if (read.length > 0) {
    throw new AppFailure("missing", `no case of ${read.length} matches --filter`);
  }
  const where = paths.length === 0 ? cwd : paths.join(", ");
  throw new AppFailure("missing", `there are no cases in ${where}`, {
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
  throw new AppFailure("usage", `${what} ${names.join(", ")} of these cases are not trusted`, {
    hint: "look at them, then: skillwright trust, or --trust for this run",
  });
}
