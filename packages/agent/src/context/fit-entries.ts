import { estimateTokens } from "@skillwright/core";
import type { ContextEntry } from "../loop/run-state.ts";
import type { ModelMessage } from "../models/model.ts";

interface FittedEntries {
  readonly entries: readonly ContextEntry[];
  readonly tokens: number;
  readonly dropped: number;
  readonly droppedSkills: readonly string[];
}

const DROPPED = "[This was dropped to make room; the record of the run has it.]";
const DROPPED_SKILL =
  "[The instructions of this skill were dropped to make room; select it again when you need them.]";
/** Of the last observation, however little room there is. */
const MIN_CHARACTERS = 400;

/**
 * What fits: what was said before this request goes first, then the oldest observations, what the
 * model said long ago, the texts of attached files, and the oldest skills. The request stays, and the
 * last message is only cut, since that is what is to be read now.
 */
export function fitEntries(entries: readonly ContextEntry[], room: number): FittedEntries {
  let tokens = 0;
  for (const { message } of entries) tokens += tokensOf(message);
  if (tokens <= room) return { entries, tokens, dropped: 0, droppedSkills: [] };
  const fitted = withoutOldest(entries, tokens - room);
  let dropped = entries.length - fitted.length;
  if (dropped > 0) {
    fitted.unshift(NO_HISTORY);
    tokens = fitted.reduce((sum, { message }) => sum + tokensOf(message), 0);
  }
  const droppedSkills: string[] = [];
  const replace = (at: number, entry: ContextEntry, shorter: ModelMessage) => {
    const saved = tokensOf(entry.message) - tokensOf(shorter);
    if (saved <= 0) return;
    fitted[at] = { ...entry, message: shorter };
    tokens -= saved;
    dropped++;
    if (entry.skill !== undefined) droppedSkills.push(entry.skill);
  };
  for (const kind of ["observation", "decision", "request", "skill"] as const) {
    for (const [at, entry] of fitted.entries()) {
      if (tokens <= room) break;
      if (entry.kind !== kind) continue;
      const { brief } = entry;
      if (kind === "request") replace(at, entry, brief ?? entry.message);
      else if (at < fitted.length - 1) replace(at, entry, dropContent(entry));
    }
  }
  const last = fitted.at(-1);
  if (tokens > room && last?.kind === "observation") {
    const left = room - tokens + tokensOf(last.message);
    replace(fitted.length - 1, last, cutContent(last.message, left));
  }
  return { entries: fitted, tokens, dropped, droppedSkills };
}

const NO_HISTORY: ContextEntry = {
  kind: "history",
  message: {
    role: "user",
    content: "[What was said first in this conversation was dropped to make room.]",
  },
};

/** Without as many of the oldest exchanges as are too much. An exchange goes as a whole. */
function withoutOldest(entries: readonly ContextEntry[], tooMuch: number): ContextEntry[] {
  const end = entries.findIndex(({ kind }) => kind !== "history");
  let from = 0;
  let saved = -tokensOf(NO_HISTORY.message);
  while (from < end && saved < tooMuch) {
    for (const { message } of entries.slice(from, from + 2)) saved += tokensOf(message);
    from += 2;
  }
  return entries.slice(from);
}

function dropContent({ message, kind }: ContextEntry): ModelMessage {
  if (message.role !== "assistant") {
    return { ...message, content: kind === "skill" ? DROPPED_SKILL : DROPPED };
  }
  const { calls } = message;
  const content = message.content === "" ? "" : DROPPED;
  // Their ids and names stay: results refer to them.
  const bare = calls?.map(({ id, name }) => ({ id, name, input: {} }));
  return { ...message, content, ...(bare && { calls: bare }) };
}

function cutContent(message: ModelMessage, tokens: number): ModelMessage {
  const { content } = message;
  const perToken = content.length / Math.max(1, estimateTokens(content));
  const length = Math.max(MIN_CHARACTERS, Math.floor((tokens - 40) * perToken * 0.9));
  if (length >= content.length) return message;
  return { ...message, content: `${content.slice(0, length)}\n${DROPPED}` };
}

const SIZES = new WeakMap<ModelMessage, number>();

function tokensOf(message: ModelMessage): number {
  const known = SIZES.get(message);
  if (known !== undefined) return known;
  const calls = message.role === "assistant" && message.calls ? JSON.stringify(message.calls) : "";
  const size = estimateTokens(message.content) + estimateTokens(calls) + 4;
  SIZES.set(message, size);
  return size;
}
