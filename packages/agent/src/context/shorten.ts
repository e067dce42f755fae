import type { ContextEntry } from "../events/run-event.ts";
import type { ModelCall, ModelMessage } from "../models/model.ts";

const MOST = 400;
const HEAD = 250;
const MAX_ARGUMENT = 200;
const CUT = "[… shortened to make room; call again if you need the rest]";

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
  return text.length <= MOST ? text : `${text.slice(0, HEAD)}\n${CUT}`;
}

/** Short arguments stay, so that the model knows what it did. */
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

/** What a message costs beside its text. */
export function imageCount(message: ModelMessage): number {
  return message.role === "assistant" ? 0 : (message.images?.length ?? 0);
}

/** What a model is shown of one result of a script, a command or a tool. */
const MAX_CHARACTERS = 24_000;
/** What is read comes in pages of its own, which say how to read on. */
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
