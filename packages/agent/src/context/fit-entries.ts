import { estimateTokens } from "@skillwright/core/internal";
import type { ContextEntry } from "../events/run-event.ts";
import type { ModelCall, ModelMessage } from "../models/model.ts";

export interface FittedEntries {
  readonly entries: readonly ContextEntry[];
  readonly tokens: number;
  /** How many messages were left out or cut to make room. */
  readonly dropped: number;
  /** Ids of skills among them. */
  readonly droppedSkills: readonly string[];
}

const CUT = "Read it in smaller parts.";
const CUT_SKILL = "Read the rest in ranges with load_resource, path SKILL.md.";
const MIN_CHARACTERS = 400;

/**
 * The last resort when the context is too small: earlier exchanges go first, then old results are
 * shortened, then the texts of attached files. The results of the last turn share the room that is
 * left, so that each is seen; instructions of skills are cut last. The request stays.
 */
export function fitEntries(entries: readonly ContextEntry[], room: number): FittedEntries {
  let tokens = contextTokens(entries);
  if (tokens <= room) return { entries, tokens, dropped: 0, droppedSkills: [] };
  const fitted = withoutOldest(entries, tokens - room);
  let dropped = entries.length - fitted.length;
  if (dropped > 0) {
    fitted.unshift(NO_HISTORY);
    tokens = contextTokens(fitted);
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
      const advice = kind === "skill" ? CUT_SKILL : CUT;
      if (tokens > room && (sizes[i] ?? 0) > share) replace(at, cutContent(message, share, advice));
    }
  }
  return { entries: fitted, tokens, dropped, droppedSkills };
}

/** The most that each may have so that all fit. Short ones leave more to the others. */
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

/** Drops the oldest exchanges before this request, as far as needed. Instructions of skills stay. */
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

/** Cuts a text that may itself claim to be whole, so the note says how much is shown. */
function cutContent(message: ModelMessage, tokens: number, advice: string): ModelMessage {
  const { content } = message;
  const perToken = content.length / Math.max(1, estimateTokens(content));
  const length = Math.max(MIN_CHARACTERS, Math.floor((tokens - 40) * perToken * 0.9));
  if (length >= content.length) return message;
  const line = content.lastIndexOf("\n", length);
  const isLine = line > length / 2;
  const cut = content.slice(0, isLine ? line : length);
  if (message.role === "assistant") return message;
  const { images: _, ...rest } = message;
  const lines = (text: string) => text.split("\n").length;
  const shown = isLine
    ? `${lines(cut)} of ${lines(content)} lines`
    : `${cut.length} of ${content.length} characters`;
  const note = `[… cut to make room: only the first ${shown} are shown. ${advice}]`;
  return { ...rest, content: `${cut}\n${note}` };
}

/** What providers count for an image of usual size. */
const IMAGE_TOKENS = 1500;
const SIZES = new WeakMap<ModelMessage, number>();

export function tokensOf(message: ModelMessage): number {
  const known = SIZES.get(message);
  if (known !== undefined) return known;
  const isModel = message.role === "assistant";
  const calls = isModel && message.calls ? JSON.stringify(message.calls) : "";
  const images = isModel ? 0 : (message.images?.length ?? 0) * IMAGE_TOKENS;
  const size = estimateTokens(message.content) + estimateTokens(calls) + images + 4;
  SIZES.set(message, size);
  return size;
}

export function contextTokens(entries: readonly Pick<ContextEntry, "message">[]): number {
  return entries.reduce((sum, { message }) => sum + tokensOf(message), 0);
}

const MOST = 400;
const HEAD = 250;
const MAX_ARGUMENT = 200;
const SHORTENED = "[… shortened to make room; call again if you need the rest]";

/** Pure: an old message with the beginnings of long results and arguments. Instructions stay whole. */
export function shortened(entry: ContextEntry): ContextEntry {
  const { message, kind, brief } = entry;
  if (kind === "request") return brief === undefined ? entry : { ...entry, message: brief };
  if (kind === "skill" || message.role === "user") return entry;
  if (message.role === "assistant") {
    const { calls = [], reasoning: _, ...rest } = message;
    if (calls.length === 0) return { ...entry, message: rest };
    return { ...entry, message: { ...rest, calls: calls.map(shortCall) } };
  }
  const { images: _, ...rest } = message;
  return { ...entry, message: { ...rest, content: shortText(message.content) } };
}

function shortText(text: string): string {
  return text.length <= MOST ? text : `${text.slice(0, HEAD)}\n${SHORTENED}`;
}

/** Keeps short arguments, so that the model knows what it did. */
function shortCall({ id, name, input }: ModelCall): ModelCall {
  return { id, name, input: shortValue(input, 0) };
}

function shortValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") {
    return value.length <= MAX_ARGUMENT ? value : `${value.slice(0, MAX_ARGUMENT)}…`;
  }
  if (typeof value !== "object" || value === null || depth > 8) return value;
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => shortValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, shortValue(item, depth + 1)]),
  );
}

/** What a model is shown of one result of a script, a command or a tool. */
const MAX_CHARACTERS = 24_000;
/** Files are read in pages, which say how to read on. */
const MAX_READ_CHARACTERS = 110_000;
const HEAD_SHARE = 0.6;

/** The beginning and the end of a long text, and how much is missing between them. */
export function summarize(
  text: string,
  { isReading }: { readonly isReading: boolean },
): { observation: string; isWhole: boolean } {
  const most = isReading ? MAX_READ_CHARACTERS : MAX_CHARACTERS;
  if (text.length <= most) return { observation: text, isWhole: true };
  const head = text.slice(0, Math.floor(most * HEAD_SHARE));
  const tail = text.slice(-Math.floor(most * (1 - HEAD_SHARE)));
  const left = text.length - head.length - tail.length;
  const note = `[… ${left} characters left out. Write long output to a file and read the part you need. …]`;
  return { observation: `${head}\n${note}\n${tail}`, isWhole: false };
}
