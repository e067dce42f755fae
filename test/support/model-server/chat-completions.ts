import type { Script } from "./model-server.ts";
import {
  eventReply,
  jsonReply,
  pieces,
  type ScriptedAnswer,
  type ScriptedUsage,
} from "./scripted-answer.ts";

interface ChatOptions {
  /** Bytes in a packet. */
  readonly size?: number;
}

/** An answer in the words of chat completions, streamed when the client asks for that. */
export function chatCompletion(answer: ScriptedAnswer, { size }: ChatOptions = {}): Script {
  return ({ body }) =>
    body["stream"] === true ? eventReply(chatEvents(answer), size) : jsonReply(chatBody(answer));
}

export function chatBody({ thought, text, calls = [], finish, usage }: ScriptedAnswer): unknown {
  const tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  return {
    ...HEAD,
    object: "chat.completion",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: text ?? null,
          ...(thought !== undefined && { reasoning_content: thought }),
          ...(calls.length > 0 && { tool_calls }),
        },
        finish_reason: finish ?? (calls.length > 0 ? "tool_calls" : "stop"),
      },
    ],
    ...(usage && { usage: chatUsage(usage) }),
  };
}

export function chatEvents({
  thought = "",
  text = "",
  calls = [],
  finish,
  usage,
}: ScriptedAnswer): string {
  const deltas: unknown[] = [{ role: "assistant", content: "" }];
  for (const reasoning_content of pieces(thought)) deltas.push({ reasoning_content });
  for (const content of pieces(text)) deltas.push({ content });
  for (const [index, { id, name, input }] of calls.entries()) {
    const call = { index, id, type: "function", function: { name, arguments: "" } };
    deltas.push({ tool_calls: [call] });
    for (const part of pieces(JSON.stringify(input))) {
      deltas.push({ tool_calls: [{ index, function: { arguments: part } }] });
    }
  }
  const events = deltas.map((delta) => chatChunk({ delta, finish_reason: null }));
  const finish_reason = finish ?? (calls.length > 0 ? "tool_calls" : "stop");
  events.push(chatChunk({ delta: {}, finish_reason }));
  if (usage) events.push(event({ ...CHUNK, choices: [], usage: chatUsage(usage) }));
  return [...events, "data: [DONE]\n\n"].join("");
}

/** One event with one choice. */
export function chatChunk(choice: Readonly<Record<string, unknown>>): string {
  return event({ ...CHUNK, choices: [{ index: 0, ...choice }] });
}

const HEAD = { id: "chatcmpl-1", created: 1, model: "test" };
const CHUNK = { ...HEAD, object: "chat.completion.chunk" };

function event(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function chatUsage({ fresh, cacheRead, output }: ScriptedUsage): unknown {
  return {
    prompt_tokens: fresh + cacheRead,
    completion_tokens: output,
    total_tokens: fresh + cacheRead + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  };
}
