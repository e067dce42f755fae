/** Functions whose modules are loaded by their first call, which keeps the import of this package fast. */

/** A function of a module that is not loaded yet. */
function lazy<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  type Call = Module[Name] extends (...args: infer Args) => Promise<infer Result>
    ? (...args: Args) => Promise<Result>
    : never;
  return (async (...args: Parameters<Call>) =>
    ((await load())[name] as Call)(...args)) as Module[Name];
}

/** The model asked for, else the configured one, else one found on this machine, else the offline model. */
export const chooseModel = lazy(() => import("./models/choose-model.ts"), "chooseModel");

/** The model that a JSON file describes: `{ "actions": [...] }` or `{ "rules": [...] }`. Never throws. */
export const openMockModel = lazy(() => import("./models/mock-file.ts"), "openMockModel");

/**
 * Works on a request until the run ends; `RunResult` says how. Throws a `TypeError` for an invalid
 * budget.
 */
export const runAgent = lazy(() => import("./run-agent.ts"), "runAgent");

/**
 * Continues a run that was stopped or cut off. Finished calls are not repeated; a call that had begun is
 * reported as interrupted. Policy, trust and the content of skills are those of today.
 */
export const resumeAgent = lazy(() => import("./run-agent.ts"), "resumeAgent");

/** Records what a person decides on changes of a run, before and after it is done. */
export const settleChanges = lazy(() => import("./runs/settle-changes.ts"), "settleChanges");

/** Removes old runs, and what the user's state holds of them. */
export const pruneRuns = lazy(() => import("./runs/prune-runs.ts"), "pruneRuns");

/**
 * Runs the loop again on the recorded answers and results, and compares each event with the recorded
 * one. No model is asked and nothing is carried out.
 */
export const replayRun = lazy(() => import("./runs/replay.ts"), "replayRun");
