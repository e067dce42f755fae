import type { chooseModel as ChooseModel } from "./models/choice/choose-model.ts";
import type { readRulesFile as ReadRulesFile } from "./models/mock/read-rules-file.ts";
import type { readSequenceFile as ReadSequenceFile } from "./models/mock/read-sequence-file.ts";
import type { resumeAgent as ResumeAgent } from "./resume-agent.ts";
import type { runAgent as RunAgent } from "./run-agent.ts";
import type { lastConversation as LastConversation } from "./runs/last-conversation.ts";
import type { pruneRuns as PruneRuns } from "./runs/prune-runs.ts";
import type { compareLive as CompareLive } from "./runs/replay/compare-live.ts";
import type { replayRun as ReplayRun } from "./runs/replay/replay-run.ts";

// Functions whose modules are loaded by the first call, which keeps the import of this package short.

/** What was asked for, else what is configured, else what is there, else the embedded model. */
export const chooseModel: typeof ChooseModel = async (...args) =>
  (await import("./models/choice/choose-model.ts")).chooseModel(...args);

/** Reads `{ "rules": [...] }` for `createRulesModel`. */
export const readRulesFile: typeof ReadRulesFile = async (...args) =>
  (await import("./models/mock/read-rules-file.ts")).readRulesFile(...args);

/** Reads `{ "actions": [...] }` for `createSequenceModel`. */
export const readSequenceFile: typeof ReadSequenceFile = async (...args) =>
  (await import("./models/mock/read-sequence-file.ts")).readSequenceFile(...args);

/**
 * Goes on with a run that was stopped or cut off. What was done is not done again; what had begun is
 * reported as interrupted. Policy, trust and the content of skills are those of now.
 */
export const resumeAgent: typeof ResumeAgent = async (...args) =>
  (await import("./resume-agent.ts")).resumeAgent(...args);

/**
 * Works on a request until there is an end. See `RunResult` for the ends there are. Throws a
 * `TypeError` for a budget that is none.
 */
export const runAgent: typeof RunAgent = async (...args) =>
  (await import("./run-agent.ts")).runAgent(...args);

/**
 * The conversation whose last run is the newest of a store, to go on with; undefined when there is
 * none. Runs that began without a conversation are none. A record that cannot be read is passed over.
 */
export const lastConversation: typeof LastConversation = async (...args) =>
  (await import("./runs/last-conversation.ts")).lastConversation(...args);

/** Removes old runs, and what is known of their records. */
export const pruneRuns: typeof PruneRuns = async (...args) =>
  (await import("./runs/prune-runs.ts")).pruneRuns(...args);

/**
 * Asks a model again in every place where one was asked, with what was observed until then. Nothing
 * that it decides is done. It is given as a record would have it, since it is compared with one.
 */
export const compareLive: typeof CompareLive = async (...args) =>
  (await import("./runs/replay/compare-live.ts")).compareLive(...args);

/**
 * Drives the loop once more from what the model said and what came of its actions, both as recorded,
 * and compares each event with the one that was written then. Nothing is asked, nothing is done.
 */
export const replayRun: typeof ReplayRun = async (...args) =>
  (await import("./runs/replay/replay-run.ts")).replayRun(...args);
