import { estimateTokens } from "@skillwright/core";
import type { ContextEntry } from "../events/run-event.ts";
import type { ModelMessage } from "../models/model.ts";
import { imageCount, shortened } from "./shorten.ts";

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
 * The last resort when shortened results are still too much: earlier exchanges go first, then the
 * oldest results, the texts of attached files, and the oldest skills. The request stays, and the last
 * message is only cut, since it is what the model works with now.
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
    content: "[The beginning of this conversation was dropped to make room.]",
  },
};

/** Without the oldest exchanges before this request, as far as needed. Instructions of skills stay. */
function withoutOldest(entries: readonly ContextEntry[], tooMuch: number): ContextEntry[] {
  const end = entries.findLastIndex(({ kind }) => kind === "request");
  const isStart = ({ kind, message }: ContextEntry) => kind !== "skill" && message.role === "user";
  let from = 0;
  let saved = -tokensOf(NO_HISTORY.message);
  while (from < end && saved < tooMuch) {
    let next = from + 1;
    while (next < end && !isStart(entries[next] as ContextEntry)) next++;
    for (const { message, kind } of entries.slice(from, next)) {
      if (kind !== "skill") saved += tokensOf(message);
    }
    from = next;
  }
  const skills = entries.slice(0, from).filter(({ kind }) => kind === "skill");
  return [...skills, ...entries.slice(from)];
}

function dropContent(entry: ContextEntry): ModelMessage {
  const { message, kind } = entry;
  if (kind === "skill") return { role: "user", content: DROPPED_SKILL };
  if (message.role === "assistant") return shortened(entry).message;
  const { images: _, ...rest } = message;
  return { ...rest, content: DROPPED };
}

function cutContent(message: ModelMessage, tokens: number): ModelMessage {
  const { content } = message;
  const perToken = content.length / Math.max(1, estimateTokens(content));
  const length = Math.max(MIN_CHARACTERS, Math.floor((tokens - 40) * perToken * 0.9));
  if (length >= content.length) return message;
  return { ...message, content: `${content.slice(0, length)}\n${DROPPED}` };
}

/** What providers count for an image of usual size. */
const IMAGE_TOKENS = 1500;
const SIZES = new WeakMap<ModelMessage, number>();

export function tokensOf(message: ModelMessage): number {
  const known = SIZES.get(message);
  if (known !== undefined) return known;
  const calls = message.role === "assistant" && message.calls ? JSON.stringify(message.calls) : "";
  const images = imageCount(message) * IMAGE_TOKENS;
  const size = estimateTokens(message.content) + estimateTokens(calls) + images + 4;
  SIZES.set(message, size);
  return size;
}
