import { type RunSummary, summarizeRun } from "@skillwright/agent";
import {
  type RunConversation,
  conversationAfter,
  type FileStore,
  type RunStart,
} from "@skillwright/agent/internal";
import type { AuditRecord } from "@skillwright/runtime";
import { CommandFailure, EXIT } from "../../exit-code.ts";
import { asAppFailure, listRuns, readRun } from "@skillwright/app/internal";
import { NO_FILES } from "./attach-file.ts";
import { type ChatState, NEW_CHAT } from "./chat-state.ts";
import { sumUsage } from "./conversation-usage.ts";

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
  throw new CommandFailure(EXIT.no, `there is no conversation ${JSON.stringify(given)}`, { hint });
}

/** The state of a conversation after its last run. */
export async function openConversation(
  store: FileStore,
  { lastRun }: Pick<ConversationEntry, "lastRun">,
): Promise<ChatState> {
  const records = await readRun(store, lastRun);
  const last = summarizeRun(records);
  const conversation = conversationAfter(records) ?? NEW_CHAT.conversation;
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
  return { ...NEW_CHAT, conversation, last, usage, uncounted };
}

/** The state after one more run, or after the last run was resumed. */
export async function afterRun(
  store: FileStore,
  state: ChatState,
  runId: string,
  /** With exact texts, while the process lives. */
  exact?: RunConversation,
): Promise<ChatState> {
  const records = await readRun(store, runId);
  const last = summarizeRun(records);
  const usage = state.last?.runId === runId ? without(state, state.last) : state.usage;
  return {
    ...state,
    conversation: exact ?? conversationAfter(records),
    last,
    usage: sumUsage(usage, last.usage),
    files: NO_FILES,
  };
}

/** What the conversation had used before the run began. */
function without({ usage }: ChatState, { usage: taken }: RunSummary) {
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
