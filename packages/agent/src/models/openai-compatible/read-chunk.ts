import type { AnswerDraft, DraftCall } from "../answer/answer-draft.ts";
import { countOf, isRecord, listOf, property, textOf } from "../http/json.ts";

/**
 * Takes a chunk of a stream, or a whole answer, into the draft. Endpoints are taken as they are:
 * reasoning is left out, calls may lack an id or an index, arguments may be an object.
 */
export function readChunk(chunk: unknown, draft: AnswerDraft): void {
  readUsage(property(chunk, "usage"), draft);
  const choices = listOf(property(chunk, "choices"));
  const choice = choices.find((one) => (property(one, "index") ?? 0) === 0);
  if (choice === undefined) return;
  const whole = property(choice, "message");
  const delta = whole ?? property(choice, "delta");
  if (isRecord(whole)) draft.isComplete = true;
  draft.addText(contentText(property(delta, "content")));
  const refusal = textOf(property(delta, "refusal"));
  if (refusal !== undefined && refusal !== "") {
    draft.addText(refusal);
    draft.finish = "refused";
  }
  for (const call of listOf(property(delta, "tool_calls"))) readCall(call, draft);
  const reason = textOf(property(choice, "finish_reason"));
  if (reason === undefined || reason === "") return;
  draft.isComplete = true;
  if (draft.finish !== "refused") draft.finish = FINISHES.get(reason) ?? "other";
}

const FINISHES = new Map([
  ["stop", "stop"],
  ["tool_calls", "calls"],
  ["function_call", "calls"],
  ["length", "length"],
  ["content_filter", "refused"],
] as const) as ReadonlyMap<string, NonNullable<AnswerDraft["finish"]>>;

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .filter((part) => (property(part, "type") ?? "text") === "text")
    .map((part) => textOf(property(part, "text")) ?? "")
    .join("");
}

function readCall(value: unknown, draft: AnswerDraft): void {
  const definition = property(value, "function");
  const id = textOf(property(value, "id")) || undefined;
  const name = textOf(property(definition, "name")) || undefined;
  const call = callOf(draft, { id, name, index: property(value, "index") });
  call.id ??= id;
  const given = property(definition, "arguments");
  if (typeof given === "string") call.pieces.push(given);
  else if (given !== undefined && given !== null) call.input = given;
}

interface CallPiece {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly index: unknown;
}

const indexes = new WeakMap<DraftCall, unknown>();

/** The call that a piece belongs to. Some endpoints give every call the index 0, some give none. */
function callOf(draft: AnswerDraft, { id, name, index }: CallPiece): DraftCall {
  const known =
    typeof index === "number"
      ? draft.calls.findLast((call) => indexes.get(call) === index)
      : id === undefined
        ? name === undefined && draft.calls.at(-1)
        : draft.calls.find((call) => call.id === id);
  const isAnother =
    known && name !== undefined && id !== undefined && known.id !== undefined && known.id !== id;
  if (known && !isAnother) {
    if (known.name === "" && name !== undefined) known.name = name;
    return known;
  }
  const call = draft.addCall(id, name ?? "");
  indexes.set(call, index);
  return call;
}

function readUsage(usage: unknown, draft: AnswerDraft): void {
  if (!isRecord(usage)) return;
  draft.usage = {
    inputTokens: countOf(usage["prompt_tokens"]),
    outputTokens: countOf(usage["completion_tokens"]),
    cacheReadTokens: countOf(property(usage["prompt_tokens_details"], "cached_tokens")),
    cacheWriteTokens: 0,
    calls: draft.usage.calls,
  };
}
