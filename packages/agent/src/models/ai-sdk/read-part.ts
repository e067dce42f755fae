import type { AnswerDraft } from "../answer/answer-draft.ts";
import { countOf, isRecord, property, textOf } from "../http/json.ts";

/** Takes a part of a result, or of a stream, into the draft. */
export function readPart(part: unknown, draft: AnswerDraft): void {
  switch (property(part, "type")) {
    case "text": {
      draft.addText(textOf(property(part, "text")) ?? "");
      break;
    }
    case "text-delta": {
      draft.addText(textOf(property(part, "delta")) ?? "");
      break;
    }
    case "tool-call": {
      // The service has carried it out itself.
      if (property(part, "providerExecuted") === true) break;
      const id = textOf(property(part, "toolCallId")) || undefined;
      const call = draft.addCall(id, textOf(property(part, "toolName")) ?? "");
      const input = property(part, "input");
      if (typeof input === "string") call.pieces.push(input);
      else call.input = input;
      break;
    }
    case "finish": {
      readEnd(part, draft);
      break;
    }
    default:
  }
}

/** Of a whole result, or the last part of a stream. */
export function readEnd(end: unknown, draft: AnswerDraft): void {
  const reason = property(end, "finishReason");
  const name = textOf(reason) ?? textOf(property(reason, "unified")) ?? "other";
  draft.finish = FINISHES.get(name) ?? "other";
  draft.isComplete = true;
  const usage = property(end, "usage");
  const input = property(usage, "inputTokens");
  const output = property(usage, "outputTokens");
  draft.usage = {
    inputTokens: countOf(isRecord(input) ? input["total"] : input),
    outputTokens: countOf(isRecord(output) ? output["total"] : output),
    cacheReadTokens: countOf(
      isRecord(input) ? input["cacheRead"] : property(usage, "cachedInputTokens"),
    ),
    cacheWriteTokens: countOf(property(input, "cacheWrite")),
    calls: draft.usage.calls,
  };
}

const FINISHES = new Map([
  ["stop", "stop"],
  ["tool-calls", "calls"],
  ["length", "length"],
  ["content-filter", "refused"],
] as const) as ReadonlyMap<string, NonNullable<AnswerDraft["finish"]>>;
