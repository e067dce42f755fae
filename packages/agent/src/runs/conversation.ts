import { defined, truncateMiddle } from "@skillwright/core/internal";
import { AuditError, type AuditRecord } from "@skillwright/runtime";
import type { ContextEntry, ConversationStart, Exchange, RunStart } from "../events/run-event.ts";
import { applyEvent } from "../loop/apply-event.ts";
import { EMPTY_STATE, type RunState } from "../loop/run-state.ts";
import { recordedBytes, withoutImageData, withShortInstructions } from "./redact-fields.ts";
import type { RunStore } from "./run-store.ts";

/** The state that a record makes. */
export function foldRecords(records: readonly Pick<AuditRecord, "event" | "data">[]): RunState {
  return records.reduce(applyEvent, EMPTY_STATE);
}

/**
 * What was said before a request. A conversation is a chain of runs: each has a complete record, which
 * begins with the messages of those before it.
 */
export interface Conversation {
  /** The id of its first run; empty for a new conversation. */
  readonly id: string;
  /** The run before this one. */
  readonly previous?: string;
  /** Requests and answers, the oldest first. */
  readonly exchanges: readonly Exchange[];
  /** How many exchanges before these are left out. */
  readonly omitted?: number;
  /** Active skills as `name@source`, to be activated again with their present content. */
  readonly skills: readonly string[];
  /** Names of known secrets that were read; their placeholders stay usable. */
  readonly secretNames?: readonly string[];
  /** All messages, calls and results included. Without them the exchanges take their place. */
  readonly messages?: readonly ContextEntry[];
}

const MAX_BYTES = 100_000;
const MAX_EXCHANGES = 200;
const MAX_REQUEST = 4000;
const MAX_ANSWER = 12_000;
const MAX_SKILLS = 200;
const MAX_NAME = 200;
const MAX_MESSAGES_BYTES = 4_000_000;
/** A field of a record takes 128 KiB. */
const CHUNK_BYTES = 100_000;

/** Pure: the conversation to continue after a run, whatever its end. */
export function conversationAfter(
  records: readonly Pick<AuditRecord, "event" | "data">[],
): Conversation {
  return conversationOf(foldRecords(records));
}

/** The same from the state of a run, with exact texts. */
export function conversationOf(state: RunState): Conversation {
  const { start, secretNames } = state;
  if (start === undefined) return { id: "", exchanges: [], skills: [] };
  const { runId, conversation } = start;
  const { id, exchanges, omitted } = conversation ?? { id: runId, exchanges: [] };
  return defined({
    id,
    previous: runId,
    exchanges: [...exchanges, { runId, request: requestOf(start), answer: answerOf(state) }],
    omitted,
    skills: skillsOf(state),
    secretNames: secretNames.length > 0 ? secretNames : undefined,
    messages: messagesOf(state),
  });
}

/** A conversation as `run-start` takes it: the oldest exchanges are left out and counted. */
export function boundConversation(conversation: Conversation): ConversationStart {
  const { id, previous, exchanges, skills, omitted = 0, messages } = conversation;
  const kept: Exchange[] = [];
  let left = MAX_BYTES;
  for (const exchange of exchanges.slice(-MAX_EXCHANGES).toReversed()) {
    const bound = {
      runId: exchange.runId.slice(0, MAX_NAME),
      request: truncateMiddle(exchange.request, MAX_REQUEST),
      answer: truncateMiddle(exchange.answer, MAX_ANSWER),
    };
    left -= recordedBytes(bound) + 1;
    if (left < 0) break;
    kept.unshift(bound);
  }
  const lost = omitted + exchanges.length - kept.length;
  return defined({
    id: id.slice(0, MAX_NAME),
    previous: previous?.slice(0, MAX_NAME),
    exchanges: kept,
    omitted: lost || undefined,
    hasMessages: messages && true,
    skills: [...new Set(skills)].slice(-MAX_SKILLS).map((name) => name.slice(0, MAX_NAME)),
  });
}

/** The messages in parts that a record takes, without the oldest if there are too many. */
export function historyChunks({
  messages = [],
}: Pick<Conversation, "messages">): { readonly entries: readonly ContextEntry[] }[] {
  const chunks: ContextEntry[][] = [];
  let size = CHUNK_BYTES;
  let total = 0;
  for (const entry of messages.toReversed()) {
    const short = withShortInstructions("history-add", { entries: [entry] });
    const bytes = recordedBytes(withoutImageData(short));
    total += bytes;
    if (total > MAX_MESSAGES_BYTES) break;
    if (size + bytes > CHUNK_BYTES) {
      chunks.unshift([]);
      size = 0;
    }
    chunks[0]?.unshift(entry);
    size += bytes;
  }
  return chunks.map((entries) => ({ entries }));
}

/** Which request of the conversation this is, from 1 on. */
export function turnOf({ exchanges, omitted = 0 }: ConversationStart): number {
  return exchanges.length + omitted + 1;
}

/** A run without an answer says how it ended. */
function messagesOf(state: RunState): readonly ContextEntry[] {
  const { entries, end, arrived } = state;
  const past = entries.map((entry): ContextEntry =>
    entry.kind === "request" ? { ...entry, kind: "history" } : entry,
  );
  // Behind the answer: what a person decided on changes since.
  if (end?.status === "answered" || end?.isAnswer === true) return [...past, ...arrived];
  const message = { role: "assistant" as const, content: answerOf(state) };
  return [...past, { message, kind: "history" }];
}

/** Names attached files, since the next request may be about them. */
function requestOf({ request, attachments = [] }: RunStart): string {
  if (attachments.length === 0) return request;
  const paths = attachments.map(({ path }) => (/\s/.test(path) ? JSON.stringify(path) : path));
  return `${request}\n\n[attached: ${paths.join(", ")}]`;
}

function answerOf({ end }: RunState): string {
  if (end === undefined) return "(cut off before there was an answer)";
  const { status, answer, reason } = end;
  if (status === "answered") return answer;
  const why = `(${status}${reason === undefined ? "" : `: ${reason}`})`;
  return answer === "" ? why : `${answer}\n${why}`;
}

/** In the order in which they became active. */
function skillsOf({ active }: RunState): string[] {
  return active.map(({ name, source }) => `${name}@${source}`);
}

/** The records of a run; undefined when there are none, or they cannot be read. */
export async function readSound(store: Pick<RunStore, "read">, runId: string) {
  try {
    return await store.read(runId);
  } catch (error) {
    if (AuditError.isInstance(error)) return undefined;
    throw error;
  }
}
