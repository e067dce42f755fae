import type { readCases as ReadCases } from "./cases/read-cases.ts";
import type { findCaseFiles as FindCaseFiles } from "./cases/find/find-case-files.ts";
import type { compareAnswers as CompareAnswers } from "./grade/compare-answers.ts";
import type { gradeTrial as GradeTrial } from "./grade/grade-trial.ts";
import type { evalSetup as EvalSetup } from "./results/eval-setup.ts";
import type {
  readResults as ReadResults,
  saveResults as SaveResults,
} from "./results/results-file.ts";
import type { writeWorkspace as WriteWorkspace } from "./report/workspace/write-workspace.ts";
import type { compareArms as CompareArms } from "./run/compare-arms.ts";
import type { openJournal as OpenJournal } from "./run/eval-journal.ts";
import type { runEvals as RunEvals } from "./run/run-evals.ts";

// Functions whose modules are loaded by the first call, which keeps the import of this package short.

/**
 * Reads the cases at paths: files in any dialect, skills, roots of skills, projects. What cannot be
 * read is a problem with file and line, and nothing else is lost by it.
 */
export const readCases: typeof ReadCases = async (...args) =>
  (await import("./cases/read-cases.ts")).readCases(...args);

/**
 * Files of cases at a path: the file itself; what stands in the `evals` folder of a skill or of all
 * skills below a root; everything in `.agent/evals`. What is there and not looked at is a problem.
 * Undefined: there is nothing.
 */
export const findCaseFiles: typeof FindCaseFiles = async (...args) =>
  (await import("./cases/find/find-case-files.ts")).findCaseFiles(...args);

/**
 * Asks in both orders. A judge who changes its mind with the order has none: that is a tie. About one and the same answer
 * nobody is asked.
 */
export const compareAnswers: typeof CompareAnswers = async (...args) =>
  (await import("./grade/compare-answers.ts")).compareAnswers(...args);

/**
 * Everything a case says, held against what was done; one grade for each thing, in the order of the
 * case: skills, sequence, output, constraints, statements, what cannot be done here. A grader that fails is an `error`.
 */
export const gradeTrial: typeof GradeTrial = async (...args) =>
  (await import("./grade/grade-trial.ts")).gradeTrial(...args);

/** What an eval is run with, so that a later one can be compared with it. */
export const evalSetup: typeof EvalSetup = async (...args) =>
  (await import("./results/eval-setup.ts")).evalSetup(...args);

export const readResults: typeof ReadResults = async (...args) =>
  (await import("./results/results-file.ts")).readResults(...args);

/** By rename: a baseline is the old one or the new one. */
export const saveResults: typeof SaveResults = async (...args) =>
  (await import("./results/results-file.ts")).saveResults(...args);

/**
 * The folders that skill-creator's tools read: `<skill>-workspace/iteration-N/eval-<number>/<arm>/run-<number>`.
 * Gives the iterations that were made. Earlier ones stay as they are.
 */
export const writeWorkspace: typeof WriteWorkspace = async (...args) =>
  (await import("./report/workspace/write-workspace.ts")).writeWorkspace(...args);

/**
 * Lets a judge compare the answers of the arm that is tested with those of every other one, some at once. In the order of
 * the plan, whatever order they came in; after a signal, those that are there.
 */
export const compareArms: typeof CompareArms = async (...args) =>
  (await import("./run/compare-arms.ts")).compareArms(...args);

/** A new journal in the folder, or the one that is there, when it is of the same eval. */
export const openJournal: typeof OpenJournal = async (...args) =>
  (await import("./run/eval-journal.ts")).openJournal(...args);

/**
 * Runs what is not done yet, some at once, and gives all results in the order of the plan, whatever order
 * they came in. After the signal, those that are there; the rest can be run later.
 */
export const runEvals: typeof RunEvals = async (...args) =>
  (await import("./run/run-evals.ts")).runEvals(...args);
