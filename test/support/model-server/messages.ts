import type { Script } from "./model-server.ts";
import {
  eventReply,
  jsonReply,
  pieces,
  type ScriptedAnswer,
  type ScriptedUsage,
} from "./scripted-answer.ts";

interface MessageOptions {
  /** Bytes in a packet. */
  readonly size?: number;
}

/** An answer in the words of Messages, streamed when the client asks for that. */
export function message(answer: ScriptedAnswer, { size }: MessageOptions = {}): Script {
  return ({ body }) =>
    body["stream"] === true
      ? eventReply(messageEvents(answer).join(""), size)
      : jsonReply(messageBody(answer));
}

function messageBody(answer: ScriptedAnswer): unknown {
  return {
    ...HEAD,
    content: blocks(answer),
    stop_reason: stopReason(answer),
    stop_sequence: null,
    usage: messageUsage(answer.usage),
  };
}

/** One text per event, so that a test can leave some out or put others in between. */
export function messageEvents(answer: ScriptedAnswer): string[] {
  const usage = messageUsage(answer.usage);
  const start = { ...HEAD, content: [], stop_reason: null, stop_sequence: null };
  const events = [
    messageEvent("message_start", { message: { ...start, usage: { ...usage, output_tokens: 1 } } }),
    messageEvent("ping", {}),
  ];
  for (const [index, block] of blocks(answer).entries()) {
    const { start, deltas } = streamed(block);
    events.push(messageEvent("content_block_start", { index, content_block: start }));
    for (const delta of deltas) events.push(messageEvent("content_block_delta", { index, delta }));
    events.push(messageEvent("content_block_stop", { index }));
  }
  const delta = { stop_reason: stopReason(answer), stop_sequence: null };
  const end = { delta, usage: { output_tokens: usage.output_tokens } };
  events.push(messageEvent("message_delta", end), messageEvent("message_stop", {}));
  return events;
}

export function messageEvent(type: string, fields: Readonly<Record<string, unknown>>): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

type Block =
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: unknown };

function streamed(block: Block): { start: object; deltas: object[] } {
  if (block.type === "text") {
    const deltas = pieces(block.text).map((text) => ({ type: "text_delta", text }));
    return { start: { ...block, text: "" }, deltas };
  }
  if (block.type === "tool_use") {
    const parts = pieces(JSON.stringify(block.input));
    const deltas = parts.map((part) => ({ type: "input_json_delta", partial_json: part }));
    return { start: { ...block, input: {} }, deltas };
  }
  const thoughts = pieces(block.thinking).map((part) => ({
    type: "thinking_delta",
    thinking: part,
  }));
  const end = { type: "signature_delta", signature: block.signature };
  return { start: { ...block, thinking: "", signature: "" }, deltas: [...thoughts, end] };
}

const HEAD = { id: "msg_1", type: "message", role: "assistant", model: "test" };
const SIGNATURE = "c2lnbmVk";

function blocks({ thought, text, calls = [] }: ScriptedAnswer): Block[] {
  return [
    ...(thought === undefined
      ? []
      : [{ type: "thinking" as const, thinking: thought, signature: SIGNATURE }]),
    ...(text === undefined ? [] : [{ type: "text" as const, text }]),
    ...calls.map((call) => ({ type: "tool_use" as const, ...call })),
  ];
}

function stopReason({ finish, calls = [] }: ScriptedAnswer): string {
  return finish ?? (calls.length > 0 ? "tool_use" : "end_turn");
}

function messageUsage(usage: ScriptedUsage = { fresh: 0, cacheRead: 0, cacheWrite: 0, output: 0 }) {
  return {
    input_tokens: usage.fresh,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: usage.cacheWrite,
    output_tokens: usage.output,
  };
}
