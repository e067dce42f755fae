import { type AnswerDraft, answerWith, type DraftCall } from "./answer.ts";
import {
  type CallResult,
  joinRoles,
  pairCalls,
  type PairedCall,
  plainTurns,
  type Turn,
  type UserTurn,
} from "./turns.ts";
import { askEndpoint } from "../http/ask-endpoint.ts";
import {
  endpointUrl,
  type HttpModelOptions,
  modelEndpoint,
  requireBaseUrl,
} from "../http/endpoint.ts";
import { countOf, isRecord, listOf, property, textOf } from "../http/json.ts";
import type { Model, ModelImage, ModelRequest, Sampling } from "../model.ts";
import { describeModel, thinkingBudget } from "./sampling.ts";

export interface AnthropicOptions extends HttpModelOptions {
  /** With or without `/v1` at its end. Default: the service itself. */
  readonly baseUrl?: string;
}

const BASE_URL = "https://api.anthropic.com/v1";
const VERSION = "2023-06-01";

/**
 * Claude by the Messages interface. Throws a `TypeError` for a base URL or sampling parameters that
 * cannot be used.
 */
export function anthropic(options: AnthropicOptions): Model {
  const { model, apiKey, clock, provider = "anthropic", stream = true } = options;
  const base = requireBaseUrl(options.baseUrl ?? BASE_URL, options);
  const named = { keyVariable: "ANTHROPIC_API_KEY", ...options };
  const endpoint = modelEndpoint(messagesUrl(base), named, {
    accept: "text/event-stream, application/json",
    "anthropic-version": VERSION,
    ...(apiKey !== undefined && { "x-api-key": apiKey }),
  });
  const described = describeModel({ ...options, provider, protocol: "tools" });
  checkParameters(described.sampling ?? {}, model);
  return {
    ...described,
    decide: (request, context = {}) =>
      answerWith(request, context, {
        provider,
        clock,
        ask: (wired, draft) => {
          const body = requestBody(wired, { ...described, model, provider, stream });
          const read = createEventReader(draft);
          return askEndpoint({ endpoint, body, draft, read, context, options: named });
        },
      }),
  };
}

/** `ANTHROPIC_BASE_URL` is usually given without the version. */
function messagesUrl(base: URL): string {
  return endpointUrl(base, /\/v\d+\/*$/.test(base.pathname) ? "messages" : "v1/messages");
}

/** Models up to 4.5 take a budget for thinking; later ones take an effort and decide themselves. */
const TAKES_BUDGET = /^claude-(?:3|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-20\d{6}|@|$))/;

function checkParameters(sampling: Sampling, model: string): void {
  const { seed, temperature, reasoningEffort = "none" } = sampling;
  if (seed !== undefined) throw new TypeError("the Anthropic API has no seed parameter");
  if (TAKES_BUDGET.test(model)) thinkingBudget(reasoningEffort);
  if (temperature !== undefined && temperature !== 1 && reasoningEffort !== "none") {
    throw new TypeError("the Anthropic API takes either temperature or reasoningEffort, not both");
  }
}

interface BodyOptions {
  readonly model: string;
  readonly provider: string;
  readonly maxOutputTokens: number;
  readonly acceptsImages: boolean;
  readonly sampling?: Sampling;
  readonly stream: boolean;
}

interface Message {
  readonly role: "user" | "assistant";
  readonly content: readonly object[];
}

const CACHE_MARK = { cache_control: { type: "ephemeral" } };

/** A request in the words of Messages. */
function requestBody(request: ModelRequest, options: BodyOptions): Record<string, unknown> {
  const { model, sampling = {} } = options;
  const turns = pairCalls(request.messages, options);
  const hasTools = request.actions.length > 0;
  const maxTokens = Math.min(request.maxOutputTokens, options.maxOutputTokens);
  return {
    model,
    max_tokens: maxTokens,
    ...(request.system.trim() !== "" && {
      // What comes before, tools and instructions, is the same in every turn of a run.
      system: [{ ...textBlock(request.system), ...CACHE_MARK }],
    }),
    messages: markLast(
      hasTools ? joinRoles(turns.flatMap(toolTurn)) : plainTurns(turns).map(plainMessage),
    ),
    ...(hasTools && {
      tools: request.actions.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: { type: "object", ...inputSchema },
      })),
      tool_choice: { type: "auto" },
    }),
    ...(sampling.temperature !== undefined && { temperature: sampling.temperature }),
    ...(sampling.topP !== undefined && { top_p: sampling.topP }),
    ...thinkingFields(model, sampling.reasoningEffort, maxTokens),
    stream: options.stream,
  };
}

function thinkingFields(model: string, effort: string | undefined, maxTokens: number) {
  if (effort === undefined) return {};
  if (effort === "none") return { thinking: { type: "disabled" } };
  if (!TAKES_BUDGET.test(model)) {
    const known = effort === "minimal" ? "low" : effort;
    return { thinking: { type: "adaptive" }, output_config: { effort: known } };
  }
  // The budget is part of the output; the API wants at least 1,024, and room for the answer.
  const budget_tokens = Math.min(thinkingBudget(effort), maxTokens - 1024);
  return budget_tokens < 1024 ? {} : { thinking: { type: "enabled", budget_tokens } };
}

/**
 * Marks the end of the last two messages of the user: the next request finds the conversation up to
 * the first mark in the cache. With that of the system prompt these are three of the four allowed.
 */
function markLast(messages: readonly Message[]): Message[] {
  const marked = new Set(messages.filter(({ role }) => role === "user").slice(-2));
  return messages.map((message) => {
    if (!marked.has(message)) return message;
    const { content } = message;
    return { ...message, content: [...content.slice(0, -1), { ...content.at(-1), ...CACHE_MARK }] };
  });
}

/** Results stand first in the user's message after the calls; what the user says follows them. */
function toolTurn(turn: Turn): Message[] {
  if (turn.role === "user") return [plainMessage(turn)];
  const { content, calls } = turn;
  const texts = content.trim() === "" ? [] : [textBlock(content.trimEnd())];
  const thoughts = turn.reasoning.filter(isRecord).filter(isSigned);
  const message: Message = {
    role: "assistant",
    content: [...thoughts, ...texts, ...calls.map(toolUse)],
  };
  if (calls.length === 0) return [message];
  return [message, { role: "user", content: calls.map(toolResult) }];
}

/** A thought that was cut off has no signature, and is refused. */
function isSigned(block: Readonly<Record<string, unknown>>): boolean {
  return block["type"] !== "thinking" || Boolean(block["signature"]);
}

function plainMessage(
  turn: UserTurn | { readonly role: "assistant"; readonly content: string },
): Message {
  if (turn.role === "assistant") {
    return { role: "assistant", content: [textBlock(turn.content.trimEnd())] };
  }
  return { role: "user", content: [textBlock(turn.content), ...turn.images.map(imageBlock)] };
}

function textBlock(text: string) {
  return { type: "text", text };
}

function imageBlock({ mediaType, data }: ModelImage) {
  return { type: "image", source: { type: "base64", media_type: mediaType, data } };
}

function toolUse({ id, name, input }: PairedCall) {
  return { type: "tool_use", id, name, input };
}

function toolResult({ id, result }: PairedCall) {
  return {
    type: "tool_result",
    tool_use_id: id,
    content: resultContent(result),
    ...(result.isError && { is_error: true }),
  };
}

function resultContent({ content, images }: CallResult) {
  return images.length === 0 ? content : [textBlock(content), ...images.map(imageBlock)];
}

/** Reads the events of one answer. A whole message is read as the events it would have been. */
function createEventReader(draft: AnswerDraft): (event: unknown) => void {
  const calls = new Map<unknown, DraftCall>();
  const thoughts = new Map<unknown, Record<string, unknown>>();

  function readBlock(block: unknown, index: unknown): void {
    const type = property(block, "type");
    if (type === "text") draft.addText(textOf(property(block, "text")) ?? "");
    if (isRecord(block) && (type === "thinking" || type === "redacted_thinking")) {
      const thought = { ...block };
      thoughts.set(index, thought);
      draft.reasoning.push(thought);
    }
    if (type !== "tool_use") return;
    const id = textOf(property(block, "id")) || undefined;
    const call = draft.addCall(id, textOf(property(block, "name")) ?? "");
    calls.set(index, call);
    const input = property(block, "input");
    // In a stream it begins empty.
    if (!isRecord(input) || Object.keys(input).length > 0) draft.addInput(call, input);
  }

  function readDelta(delta: unknown, index: unknown): void {
    const type = property(delta, "type");
    if (type === "text_delta") draft.addText(textOf(property(delta, "text")) ?? "");
    const call = calls.get(index);
    if (type === "input_json_delta" && call !== undefined) {
      draft.addInput(call, textOf(property(delta, "partial_json")));
    }
    const thought = thoughts.get(index);
    const name = type === "thinking_delta" ? "thinking" : "signature";
    if (thought === undefined || (type !== "thinking_delta" && type !== "signature_delta")) return;
    thought[name] = (textOf(thought[name]) ?? "") + (textOf(property(delta, name)) ?? "");
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
