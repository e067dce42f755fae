import { defined, checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { endpointUrl } from "../http/endpoint.ts";
import { appendText, countOf, isRecord, listAt, property, textAt } from "../http/json.ts";
import type { Model, ModelImage } from "../model.ts";
import type { AnswerDraft } from "./answer.ts";
import { HTTP_OPTIONS, httpModel, type HttpModelOptions } from "./http-model.ts";
import { type Settings, thinkingBudget } from "./settings.ts";
import { type CallResult, type Prompt, promptOf, type Turn } from "./turns.ts";

export interface AnthropicOptions extends HttpModelOptions {
  /** With or without `/v1` at its end. Default: the service itself. */
  readonly baseUrl?: string;
}

const OPTIONS: OptionKinds<AnthropicOptions> = { ...HTTP_OPTIONS, baseUrl: "string" };

/**
 * Claude by the Messages API. Throws a `TypeError` for a base URL or sampling parameters that cannot be
 * used.
 */
export function anthropic(options: AnthropicOptions): Model {
  checkOptions("anthropic", options, OPTIONS, ["model", "contextTokens"]);
  return httpModel(options, "anthropic", (settings, base) => {
    checkParameters(settings);
    // `ANTHROPIC_BASE_URL` is usually given without the version.
    const path = /\/v\d+\/*$/.test(base.pathname) ? "messages" : "v1/messages";
    return {
      url: endpointUrl(base, path),
      headers: { "anthropic-version": "2023-06-01", "x-api-key": options.apiKey },
      ask: (request, draft, send) =>
        send(requestBody(promptOf(request, settings)), createEventReader(draft)),
    };
  });
}

function checkParameters({ model, sampling }: Settings): void {
  const { seed, temperature, reasoningEffort = "none" } = sampling;
  if (seed !== undefined) throw new TypeError("the Anthropic API has no seed parameter");
  thinkingBudget(model, reasoningEffort);
  if (temperature !== undefined && temperature !== 1 && reasoningEffort !== "none") {
    throw new TypeError("the Anthropic API takes either temperature or reasoningEffort, not both");
  }
}

const CACHE_MARK = { cache_control: { type: "ephemeral" } };

function requestBody(prompt: Prompt): object {
  const { system, turns, tools, maxTokens, model, sampling, stream } = prompt;
  return {
    model,
    max_tokens: maxTokens,
    // Tools and instructions come first, and are the same in every turn of a run.
    ...(system !== "" && { system: [{ ...textBlock(system), ...CACHE_MARK }] }),
    messages: turns.map((turn, at) => {
      const content = turn.role === "user" ? userBlocks(turn) : assistantBlocks(turn);
      // The last two turns of the user: the next request finds the conversation up to the first mark in
      // the cache. With the system prompt these are three of the four marks allowed.
      const isMarked = at === turns.length - 1 || at === turns.length - 3;
      const marked = [...content.slice(0, -1), { ...content.at(-1), ...CACHE_MARK }];
      return { role: turn.role, content: isMarked ? marked : content };
    }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: { type: "object", ...inputSchema },
      })),
      tool_choice: { type: "auto" },
    }),
    ...defined({ temperature: sampling.temperature, top_p: sampling.topP }),
    ...thinkingFields(model, sampling.reasoningEffort, maxTokens),
    stream,
  };
}

function thinkingFields(model: string, effort: string | undefined, maxTokens: number) {
  if (effort === undefined) return {};
  if (effort === "none") return { thinking: { type: "disabled" } };
  const budget = thinkingBudget(model, effort);
  if (budget === undefined) {
    const known = effort === "minimal" ? "low" : effort;
    return { thinking: { type: "adaptive" }, output_config: { effort: known } };
  }
  // The budget is part of the output; the API wants at least 1,024, and room for the answer.
  const budget_tokens = Math.min(budget, maxTokens - 1024);
  return budget_tokens < 1024 ? {} : { thinking: { type: "enabled", budget_tokens } };
}

function assistantBlocks({ content, calls, reasoning }: Turn): object[] {
  // A thought that was cut off has no signature, and would be refused.
  const thoughts = reasoning
    .filter(isRecord)
    .filter((block) => block["type"] !== "thinking" || Boolean(block["signature"]));
  const text = content.trimEnd();
  const uses = calls.map((call) => ({ type: "tool_use", ...call }));
  return [...thoughts, ...(text === "" ? [] : [textBlock(text)]), ...uses];
}

function userBlocks({ results, content, images }: Turn): object[] {
  const text = content === "" ? [] : [textBlock(content)];
  return [...results.map(toolResult), ...text, ...images.map(imageBlock)];
}

function toolResult({ id, content, images, isError }: CallResult) {
  return {
    type: "tool_result",
    tool_use_id: id,
    content: images.length === 0 ? content : [textBlock(content), ...images.map(imageBlock)],
    ...(isError && { is_error: true }),
  };
}

function textBlock(text: string) {
  return { type: "text", text };
}

function imageBlock({ mediaType, data }: ModelImage) {
  return { type: "image", source: { type: "base64", media_type: mediaType, data } };
}

/** Reads the events of one answer. A whole message is read as the events it would have been. */
function createEventReader(draft: AnswerDraft): (event: unknown) => void {
  const thoughts = new Map<unknown, Record<string, unknown>>();

  function readBlock(block: unknown, index: unknown): void {
    const type = textAt(block, "type");
    if (type === "text") draft.addText(textAt(block, "text"));
    if (isRecord(block) && (type === "thinking" || type === "redacted_thinking")) {
      const thought = { ...block };
      thoughts.set(index, thought);
      draft.reasoning.push(thought);
    }
    if (type !== "tool_use") return;
    const call = draft.addCall(textAt(block, "id"), textAt(block, "name"), index);
    const input = property(block, "input");
    // In a stream it begins empty.
    if (!isRecord(input) || Object.keys(input).length > 0) draft.addInput(call, input);
  }

  function readDelta(delta: unknown, index: unknown): void {
    const thought = thoughts.get(index);
    if (property(delta, "type") === "text_delta") draft.addText(textAt(delta, "text"));
    draft.addInput(draft.callAt(index), textAt(delta, "partial_json"));
    if (thought !== undefined) appendText(thought, delta, ["thinking", "signature"]);
  }

  return (event) => {
    const type = property(event, "type");
    const index = property(event, "index");
    // `message_start` and a whole answer have a message, `message_delta` a part of one.
    const message = type === "message" ? event : property(event, "message");
    readUsage(property(message ?? event, "usage"), draft);
    for (const [at, block] of listAt(message, "content").entries()) readBlock(block, at);
    if (type === "content_block_start") readBlock(property(event, "content_block"), index);
    if (type === "content_block_delta") readDelta(property(event, "delta"), index);
    draft.end(property(message ?? property(event, "delta"), "stop_reason"));
    const isWhole = type === "message" && Array.isArray(property(event, "content"));
    if (isWhole || type === "message_stop") draft.isComplete = true;
  };
}

/** Later counts replace earlier ones; those that are not given again stay. */
function readUsage(usage: unknown, draft: AnswerDraft): void {
  if (!isRecord(usage)) return;
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = draft.usage;
  const cacheRead = countOf(usage["cache_read_input_tokens"] ?? cacheReadTokens);
  const cacheWrite = countOf(usage["cache_creation_input_tokens"] ?? cacheWriteTokens);
  const fresh = countOf(usage["input_tokens"] ?? inputTokens - cacheReadTokens - cacheWriteTokens);
  const output = usage["output_tokens"] ?? outputTokens;
  draft.count(fresh + cacheRead + cacheWrite, output, cacheRead, cacheWrite);
}
