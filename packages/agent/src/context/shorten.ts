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
