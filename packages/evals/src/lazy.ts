import type { readCases as ReadCases } from "./cases/read-cases.ts";
import type { findCaseFiles as FindCaseFiles } from "./cases/find-case-files.ts";
import type { importCases as ImportCases } from "./import/import-cases.ts";
import type { compareAnswers as CompareAnswers } from "./grade/judge.ts";
import type { gradeTrial as GradeTrial } from "./grade/grade-trial.ts";
import type { evalSetup as EvalSetup } from "./results/eval-setup.ts";
import type {
  readResults as ReadResults,
  saveResults as SaveResults,
} from "./results/results-file.ts";
import type { writeWorkspace as WriteWorkspace } from "./report/workspace.ts";
import type { compareArms as CompareArms } from "./run/compare-arms.ts";
import type { openJournal as OpenJournal } from "./run/file-journal.ts";
import type {
  openPublishedEval as OpenPublishedEval,
  publishEval as PublishEval,
} from "./run/published-eval.ts";
import type { runEvals as RunEvals } from "./run/run-evals.ts";
import type { runTrial as RunTrial } from "./run/run-trial.ts";

// Functions whose modules are loaded by the first call, which keeps the import of this package short.

/**
 * Reads the cases at paths: files in our format or `evals.json`, skills, roots of skills, projects. What
 * cannot be read is a problem with file and line, and does not affect the rest.
 */
export const readCases: typeof ReadCases = async (...args) =>
  (await import("./cases/read-cases.ts")).readCases(...args);

/**
 * Files of cases at a path: the file itself, the `evals` folder of a skill or of all skills below a
 * root, or everything in `.agent/evals`. Files that are skipped are reported as problems. Undefined when
 * there are none.
 */
export const findCaseFiles: typeof FindCaseFiles = async (...args) =>
  (await import("./cases/find-case-files.ts")).findCaseFiles(...args);

/**
 * Converts a file of waza, vally or promptfoo, or a trigger set, into our format, and lists what that could not
 * express. Writes nothing.
 */
export const importCases = async (
  ...args: Parameters<typeof ImportCases>
): Promise<ReturnType<typeof ImportCases>> =>
  (await import("./import/import-cases.ts")).importCases(...args);

/**
 * Asks in both orders. A judge whose preference depends on the order gives a tie. Identical answers are
 * a tie without asking.
 */
export const compareAnswers: typeof CompareAnswers = async (...args) =>
  (await import("./grade/judge.ts")).compareAnswers(...args);

/**
 * Grades a trial against everything its case expects, in this order: skills, sequence, output,
 * constraints, statements, and what cannot be checked here. A grader that fails gives an `error`.
 */
export const gradeTrial: typeof GradeTrial = async (...args) =>
  (await import("./grade/grade-trial.ts")).gradeTrial(...args);

/** The setup of an eval, by which later results are compared with it. */
export const evalSetup: typeof EvalSetup = async (...args) =>
  (await import("./results/eval-setup.ts")).evalSetup(...args);

export const readResults: typeof ReadResults = async (...args) =>
  (await import("./results/results-file.ts")).readResults(...args);

/** Replaces the file in one step, so that a baseline is the old one or the new one. */
export const saveResults: typeof SaveResults = async (...args) =>
  (await import("./results/results-file.ts")).saveResults(...args);

/**
 * The folders that skill-creator's tools read: `<skill>-workspace/iteration-N/eval-<number>/<arm>/run-<number>`.
 * Gives the iterations that were made. Earlier ones stay as they are.
 */
export const writeWorkspace: typeof WriteWorkspace = async (...args) =>
  (await import("./report/workspace.ts")).writeWorkspace(...args);

/**
 * Has a judge compare the answers of the tested arm with those of every other arm, several at a time.
 * Results are in the order of the plan; after a signal, those that are ready.
 */
export const compareArms: typeof CompareArms = async (...args) =>
  (await import("./run/compare-arms.ts")).compareArms(...args);

/** Opens the journal in the folder if it belongs to the same eval, or starts a new one. */
export const openJournal: typeof OpenJournal = async (...args) =>
  (await import("./run/file-journal.ts")).openJournal(...args);

/**
 * Runs the trials that have no result in the journal, several at a time, and returns all results in the order of the
 * plan. After a signal, those that are ready; the rest can be run later.
 */
export const runEvals: typeof RunEvals = async (...args) =>
  (await import("./run/run-evals.ts")).runEvals(...args);

/**
 * Runs one trial: the case of the job with the real agent, the whole catalog, and a context and a working directory of
 * its own. Undefined when it was canceled. Claiming the job before and keeping the result are up to the caller.
 */
export const runTrial: typeof RunTrial = async (...args) =>
  (await import("./run/run-trial.ts")).runTrial(...args);

/**
 * Puts everything that the trials of an eval need into a blob store: cases with their files and graders, and the skills
 * of every arm. Gives the digest by which workers find it. The same content has the same digest.
 */
export const publishEval: typeof PublishEval = async (...args) =>
  (await import("./run/published-eval.ts")).publishEval(...args);

/**
 * The inputs of a published eval, for a worker. Every blob is checked against its digest. Rejects when one is missing or
 * damaged: such a trial must not be run.
 */
export const openPublishedEval: typeof OpenPublishedEval = async (...args) =>
  (await import("./run/published-eval.ts")).openPublishedEval(...args);
