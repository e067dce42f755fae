import type { AnswerDraft, DraftCall } from "../answer/answer-draft.ts";
import { countOf, isRecord, listOf, property, textOf } from "../http/json.ts";

/** Reads the events of one answer. A whole message is read as the events it would have been. */
export function createEventReader(draft: AnswerDraft): (event: unknown) => void {
  const calls = new Map<unknown, DraftCall>();

  function readBlock(block: unknown, index: unknown): void {
    const type = property(block, "type");
    if (type === "text") draft.addText(textOf(property(block, "text")) ?? "");
    if (type !== "tool_use") return;
    const id = textOf(property(block, "id")) || undefined;
    const call = draft.addCall(id, textOf(property(block, "name")) ?? "");
    call.input = property(block, "input");
    calls.set(index, call);
  }

  function readDelta(delta: unknown, index: unknown): void {
    const type = property(delta, "type");
    if (type === "text_delta") draft.addText(textOf(property(delta, "text")) ?? "");
    if (type === "input_json_delta") {
      calls.get(index)?.pieces.push(textOf(property(delta, "partial_json")) ?? "");
    }
  }

  function readMessage(message: unknown): void {
    readUsage(property(message, "usage"), draft);
    for (const [index, block] of listOf(property(message, "content")).entries()) {
      readBlock(block, index);
    }
    readStopReason(property(message, "stop_reason"), draft);
  }

  return (event) => {
    switch (property(event, "type")) {
      case "message": {
        readMessage(event);
        draft.isComplete ||= Array.isArray(property(event, "content"));
        break;
      }
      case "message_start": {
        readMessage(property(event, "message"));
        break;
      }
      case "content_block_start": {
        readBlock(property(event, "content_block"), property(event, "index"));
        break;
      }
      case "content_block_delta": {
        readDelta(property(event, "delta"), property(event, "index"));
        break;
      }
      case "message_delta": {
        readUsage(property(event, "usage"), draft);
        readStopReason(property(property(event, "delta"), "stop_reason"), draft);
        break;
      }
      case "message_stop": {
        draft.isComplete = true;
        break;
      }
      // Others, such as `ping`, and those that are still to come.
      default:
    }
  };
}

const FINISHES = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["tool_use", "calls"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "refused"],
] as const) as ReadonlyMap<string, NonNullable<AnswerDraft["finish"]>>;

function readStopReason(reason: unknown, draft: AnswerDraft): void {
  if (typeof reason !== "string") return;
  draft.finish = FINISHES.get(reason) ?? "other";
  draft.isComplete = true;
}

/** Later counts replace earlier ones; those that are not given again stay. */
function readUsage(usage: unknown, draft: AnswerDraft): void {
  if (!isRecord(usage)) return;
  const before = draft.usage;
  const cacheReadTokens = countOf(usage["cache_read_input_tokens"] ?? before.cacheReadTokens);
  const cacheWriteTokens = countOf(usage["cache_creation_input_tokens"] ?? before.cacheWriteTokens);
  const fresh = before.inputTokens - before.cacheReadTokens - before.cacheWriteTokens;
  draft.usage = {
    inputTokens: countOf(usage["input_tokens"] ?? fresh) + cacheReadTokens + cacheWriteTokens,
    outputTokens: countOf(usage["output_tokens"] ?? before.outputTokens),
    cacheReadTokens,
    cacheWriteTokens,
    calls: before.calls,
  };
}
