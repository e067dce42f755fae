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

const CUT = "[… cut to make room; read it in smaller parts]";
const CUT_SKILL = "[… cut to make room; read the rest in ranges with load_resource, path SKILL.md]";
/** However little room there is. */
const MIN_CHARACTERS = 400;

/**
 * The last resort when the context is too small: earlier exchanges go first, then old results are
 * shortened, then the texts of attached files. The results of the last turn share the room that is
 * left, so that each is seen; instructions of skills are cut last. The request stays.
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
  const replace = (at: number, shorter: ModelMessage) => {
    const entry = fitted[at] as ContextEntry;
    const saved = tokensOf(entry.message) - tokensOf(shorter);
    if (saved <= 0) return;
    fitted[at] = { ...entry, message: shorter };
    tokens -= saved;
    dropped++;
    if (entry.skill !== undefined) droppedSkills.push(entry.skill);
  };
  const turn = fitted.findLastIndex(({ kind }) => kind === "decision");
  const isOld = (entry: ContextEntry, at: number) => entry.kind === "request" || at < turn;
  for (const [at, entry] of fitted.entries()) {
    if (tokens > room && isOld(entry, at)) replace(at, shortened(entry).message);
  }
  for (const kind of ["observation", "skill"] as const) {
    const places = fitted.flatMap((entry, at) =>
      entry.kind === kind && (kind === "skill" || at > turn) ? [at] : [],
    );
    const sizes = places.map((at) => tokensOf((fitted[at] as ContextEntry).message));
    const share = shareOf(sizes, sizes.reduce((sum, size) => sum + size, 0) - (tokens - room));
    for (const [i, at] of places.entries()) {
      const { message } = fitted[at] as ContextEntry;
      const note = kind === "skill" ? CUT_SKILL : CUT;
      if (tokens > room && (sizes[i] ?? 0) > share) replace(at, cutContent(message, share, note));
    }
  }
  return { entries: fitted, tokens, dropped, droppedSkills };
}

/** The most that each may have so that all fit; what short ones leave goes to the others. */
export function shareOf(sizes: readonly number[], room: number): number {
  let left = Math.max(0, room);
  const ascending = sizes.toSorted((a, b) => a - b);
  for (const [i, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - i));
    if (size > share) return share;
    left -= size;
  }
  return Number.POSITIVE_INFINITY;
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

function cutContent(message: ModelMessage, tokens: number, note: string): ModelMessage {
  const { content } = message;
  const perToken = content.length / Math.max(1, estimateTokens(content));
  const length = Math.max(MIN_CHARACTERS, Math.floor((tokens - 40) * perToken * 0.9));
  if (length >= content.length) return message;
  const line = content.lastIndexOf("\n", length);
  const cut = content.slice(0, line > length / 2 ? line : length);
  if (message.role === "assistant") return message;
  const { images: _, ...rest } = message;
  return { ...rest, content: `${cut}\n${note}` };
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
