import type { chooseModel as ChooseModel } from "./models/choice/choose-model.ts";
import type {
  readRulesFile as ReadRulesFile,
  readSequenceFile as ReadSequenceFile,
} from "./models/mock/mock-files.ts";
import type { resumeAgent as ResumeAgent, runAgent as RunAgent } from "./run-agent.ts";
import type { lastConversation as LastConversation } from "./runs/conversation.ts";
import type { pruneRuns as PruneRuns } from "./runs/file-store.ts";
import type { compareLive as CompareLive, replayRun as ReplayRun } from "./runs/replay.ts";

// Functions whose modules are loaded by the first call, which keeps the import of this package short.

/** The model asked for, else the configured one, else one found on this machine, else the offline model. */
export const chooseModel: typeof ChooseModel = async (...args) =>
  (await import("./models/choice/choose-model.ts")).chooseModel(...args);

/** Reads `{ "rules": [...] }` for `createRulesModel`. */
export const readRulesFile: typeof ReadRulesFile = async (...args) =>
  (await import("./models/mock/mock-files.ts")).readRulesFile(...args);

/** Reads `{ "actions": [...] }` for `createSequenceModel`. */
export const readSequenceFile: typeof ReadSequenceFile = async (...args) =>
  (await import("./models/mock/mock-files.ts")).readSequenceFile(...args);

/**
 * Goes on with a run that was stopped or cut off. What was done is not done again; what had begun is
 * reported as interrupted. Policy, trust and the content of skills are those of now.
 */
export const resumeAgent: typeof ResumeAgent = async (...args) =>
  (await import("./run-agent.ts")).resumeAgent(...args);

/**
 * Works on a request until the run ends; `RunResult` says how. Throws a `TypeError` for an invalid
 * budget.
 */
export const runAgent: typeof RunAgent = async (...args) =>
  (await import("./run-agent.ts")).runAgent(...args);

/**
 * The conversation with the newest run of a store, to continue it; undefined when there is none. Runs
 * outside a conversation and records that cannot be read are skipped.
 */
export const lastConversation: typeof LastConversation = async (...args) =>
  (await import("./runs/conversation.ts")).lastConversation(...args);

/** Removes old runs, and what is known of their records. */
export const pruneRuns: typeof PruneRuns = async (...args) =>
  (await import("./runs/file-store.ts")).pruneRuns(...args);

/**
 * Asks a model again at every point where one was asked, with the observations up to then, and
 * compares its decisions with the recorded ones. Nothing is carried out.
 */
export const compareLive: typeof CompareLive = async (...args) =>
  (await import("./runs/replay.ts")).compareLive(...args);

/**
 * Runs the loop again on the recorded answers and results, and compares each event with the recorded
 * one. No model is asked and nothing is carried out.
 */
export const replayRun: typeof ReplayRun = async (...args) =>
  (await import("./runs/replay.ts")).replayRun(...args);
