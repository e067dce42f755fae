import { type RunSummary, summarizeRun } from "@skillwright/agent";
import {
  type RunConversation,
  conversationAfter,
  type FileStore,
  type RunStart,
  type RunUsage,
} from "@skillwright/agent/internal";
import type { AuditRecord } from "@skillwright/runtime";
import type { ConversationState } from "../api.ts";
import { asAppFailure } from "../failure.ts";
import { listRuns, readRun } from "./find-run.ts";
import { AppFailure } from "../failure.ts";

export const NO_USAGE: RunUsage = {
  turns: 0,
  toolCalls: 0,
  scripts: 0,
  inputTokens: 0,
  outputTokens: 0,
  modelCalls: 0,
  cost: 0,
  timeMs: 0,
};

function sumUsage(one: RunUsage, other: RunUsage): RunUsage {
  return {
    turns: one.turns + other.turns,
    toolCalls: one.toolCalls + other.toolCalls,
    scripts: one.scripts + other.scripts,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    modelCalls: one.modelCalls + other.modelCalls,
    cost: one.cost + other.cost,
    timeMs: one.timeMs + other.timeMs,
  };
}

export const NEW_CONVERSATION: ConversationState = {
  conversation: { id: "", exchanges: [], skills: [] },
  usage: NO_USAGE,
  uncounted: 0,
};

/** A conversation in short. */
export interface ConversationEntry {
  readonly id: string;
  /** Its last run. */
  readonly lastRun: string;
  readonly exchanges: number;
  /** What it began with, as far as that is known. */
  readonly request: string;
  readonly updatedAt: string;
}

const MAX_LISTED = 20;
/** Runs that are looked at for a list, the newest first. */
const MAX_LOOKED = 500;
const MAX_CHAIN = 1000;

/** The conversations of this project, the one that was last talked in first. */
export async function listConversations(
  store: FileStore,
  { limit = MAX_LISTED, looked = MAX_LOOKED }: { limit?: number; looked?: number } = {},
): Promise<readonly ConversationEntry[]> {
  const found = new Map<string, ConversationEntry>();
  for (const runId of (await listRuns(store)).slice(0, looked)) {
    if (found.size >= limit) break;
    const records = await soundRecords(store, runId);
    const start = startOf(records);
    // A child run belongs to its parent's conversation.
    if (start?.conversation === undefined || start.parent !== undefined) continue;
    const { id } = start.conversation;
    if (found.has(id)) continue;
    const { exchanges, omitted = 0 } = start.conversation;
    found.set(id, {
      id,
      lastRun: runId,
      exchanges: exchanges.length + omitted + 1,
      request: exchanges[0]?.request ?? start.request,
      updatedAt: records.at(-1)?.time ?? "",
    });
  }
  return [...found.values()];
}

/** The one that has this id, or begins with it. */
export async function findConversation(
  store: FileStore,
  given: string,
): Promise<ConversationEntry> {
  const all = await listConversations(store, { limit: Infinity, looked: Infinity });
  const begun = given === "" ? [] : all.filter(({ id }) => id.startsWith(given));
  const [only] = begun;
  if (begun.length === 1 && only !== undefined) return only;
  const hint =
    begun.length > 1
      ? `there are ${begun
          .slice(0, 5)
          .map(({ id }) => id)
          .join(", ")}`
      : "/resume in skillwright chat lists the conversations of this project";
  throw new AppFailure("no", `there is no conversation ${JSON.stringify(given)}`, { hint });
}

/** The state of a conversation after its last run. */
export async function openConversation(
  store: FileStore,
  { lastRun }: Pick<ConversationEntry, "lastRun">,
): Promise<ConversationState> {
  const records = await readRun(store, lastRun);
  const last = summarizeRun(records);
  const conversation = conversationAfter(records) ?? NEW_CONVERSATION.conversation;
  let { usage } = last;
  let uncounted = 0;
  let previous = startOf(records)?.conversation?.previous;
  for (let count = 0; previous !== undefined && count < MAX_CHAIN; count++) {
    const before = await soundRecords(store, previous);
    if (before.length === 0) {
      uncounted = conversation.exchanges.length + (conversation.omitted ?? 0) - count - 1;
      break;
    }
    usage = sumUsage(usage, summarizeRun(before).usage);
    previous = startOf(before)?.conversation?.previous;
  }
  return { conversation, last, usage, uncounted };
}

/** The state after one more run, or after the last run was resumed. */
export async function afterRun<State extends ConversationState>(
  store: FileStore,
  state: State,
  runId: string,
  /** With exact texts, while the process lives. */
  exact?: RunConversation,
): Promise<State> {
  const records = await readRun(store, runId);
  const last = summarizeRun(records);
  const usage = state.last?.runId === runId ? without(state, state.last) : state.usage;
  return {
    ...state,
    conversation: exact ?? conversationAfter(records),
    last,
    usage: sumUsage(usage, last.usage),
  };
}

/** What the conversation had used before the run began. */
function without({ usage }: ConversationState, { usage: taken }: RunSummary) {
  const entries = Object.entries(usage) as [keyof typeof usage, number][];
  return Object.fromEntries(
    entries.map(([key, value]) => [key, value - taken[key]]),
  ) as unknown as typeof usage;
}

/** Empty for a run that is gone, or whose record is not as it was written. */
async function soundRecords(store: FileStore, runId: string): Promise<readonly AuditRecord[]> {
  try {
    return (await store.read(runId)) ?? [];
  } catch (error) {
    asAppFailure(error);
    return [];
  }
}

function startOf(records: readonly AuditRecord[]): RunStart | undefined {
  const first = records.find(({ event }) => event === "run-start");
  return first?.data as RunStart | undefined;
}
