import type { AnswerDraft, DraftCall } from "./answer.ts";
import {
  type AssistantTurn,
  pairCalls,
  plainTurns,
  resultText,
  type Turn,
  type UserTurn,
} from "./turns.ts";
import { decisionSchema, systemForText } from "./written-decision.ts";
import { countOf, encodeJson, isRecord, listOf, property, textOf } from "../http/json.ts";
import type { ActionDefinition, ModelImage, ModelRequest, Sampling } from "../model.ts";

/** What an endpoint takes, as far as it is known. Endpoints differ, and none says so beforehand. */
export interface Features {
  readonly decisions: "tools" | "json_schema" | "json_object" | "text";
  readonly toolChoice: boolean;
  readonly streamOptions: boolean;
  readonly tokenLimit: "max_tokens" | "max_completion_tokens";
  readonly images: boolean;
  /** Takes back the reasoning that it sent. */
  readonly reasoning: boolean;
}

interface BodyOptions {
  readonly model: string;
  readonly provider: string;
  readonly maxOutputTokens: number;
  readonly sampling: Sampling;
  readonly stream: boolean;
  readonly features: Features;
}

/** A request in the words of chat completions. */
export function chatBody(request: ModelRequest, options: BodyOptions): Record<string, unknown> {
  const { features, stream, provider } = options;
  const { temperature, topP, seed, reasoningEffort } = options.sampling;
  const turns = pairCalls(request.messages, { provider, acceptsImages: features.images });
  const hasTools = features.decisions === "tools" && request.actions.length > 0;
  const system = features.decisions === "tools" ? request.system : systemForText(request);
  return {
    model: options.model,
    messages: [
      ...(system.trim() === "" ? [] : [{ role: "system", content: system }]),
      ...(hasTools ? toolMessages(turns, features) : plainTurns(turns).map(plainMessage)),
    ],
    [features.tokenLimit]: Math.min(request.maxOutputTokens, options.maxOutputTokens),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(seed !== undefined && { seed }),
    ...(reasoningEffort !== undefined && { reasoning_effort: reasoningEffort }),
    ...(hasTools && {
      tools: request.actions.map(({ name, description, inputSchema }) => ({
        type: "function",
        function: { name, description, parameters: inputSchema },
      })),
      ...(features.toolChoice && { tool_choice: "auto" }),
    }),
    ...(request.actions.length > 0 && responseFormat(request.actions, features)),
    stream,
    ...(stream && features.streamOptions && { stream_options: { include_usage: true } }),
  };
}

function responseFormat(actions: readonly ActionDefinition[], { decisions }: Features) {
  if (decisions === "json_object") return { response_format: { type: "json_object" } };
  if (decisions !== "json_schema") return {};
  // Strict would demand that every property is required, which actions with options are not.
  const json_schema = { name: "decision", strict: false, schema: decisionSchema(actions) };
  return { response_format: { type: "json_schema", json_schema } };
}

/** Images of results follow in a message of the user: results are text only. */
function toolMessages(turns: readonly Turn[], features: Features): unknown[] {
  const messages: unknown[] = [];
  let images: readonly ModelImage[] = [];
  for (const turn of turns) {
    if (images.length > 0 && turn.role === "assistant") messages.push(imageMessage(images));
    if (turn.role === "user") {
      messages.push(plainMessage({ ...turn, images: [...images, ...turn.images] }));
    } else messages.push(...assistantMessages(turn, features));
    images = turn.role === "user" ? [] : turn.calls.flatMap(({ result }) => result.images);
  }
  return images.length > 0 ? [...messages, imageMessage(images)] : messages;
}

function imageMessage(images: readonly ModelImage[]): unknown {
  return plainMessage({ role: "user", content: "Images from the tool results above:", images });
}

function assistantMessages(turn: AssistantTurn, features: Features): unknown[] {
  const { content, calls, reasoning } = turn;
  const thoughts = features.reasoning ? reasoning.flatMap(reasoningFields) : [];
  const message = { role: "assistant", content, ...Object.fromEntries(thoughts) };
  if (calls.length === 0) return [message];
  const tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: encodeJson(input) },
  }));
  const results = calls.map(({ id, result }) => ({
    role: "tool",
    tool_call_id: id,
    content: resultText(result),
  }));
  return [{ ...message, tool_calls }, ...results];
}

/** Under the names that endpoints use: DeepSeek and vLLM, Ollama, OpenRouter. */
const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_details"] as const;

function reasoningFields(data: unknown): [string, unknown][] {
  return REASONING_FIELDS.map((name): [string, unknown] => [name, property(data, name)]).filter(
    ([, value]) => value !== undefined,
  );
}

function plainMessage(turn: UserTurn | { readonly role: "assistant"; readonly content: string }) {
  const { role, content } = turn;
  if (role === "assistant" || turn.images.length === 0) return { role, content };
  const images = turn.images.map(({ mediaType, data }) => ({
    type: "image_url",
    image_url: { url: `data:${mediaType};base64,${data}` },
  }));
  return { role, content: [{ type: "text", text: content }, ...images] };
}

interface CallPiece {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly index: unknown;
}

/**
 * Takes chunks of a stream, or a whole answer, into the draft. Endpoints are taken as they are: calls
 * may lack an id or an index, arguments may be an object.
 */
export function createChunkReader(draft: AnswerDraft): (chunk: unknown) => void {
  const indexes = new Map<DraftCall, unknown>();
  const reasoning: Record<string, unknown> = {};

  /** The call that a piece belongs to. Some endpoints give every call the index 0, some give none. */
  function callOf({ id, name, index }: CallPiece): DraftCall {
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

  function readCall(value: unknown): void {
    const definition = property(value, "function");
    const id = textOf(property(value, "id")) || undefined;
    const name = textOf(property(definition, "name")) || undefined;
    const call = callOf({ id, name, index: property(value, "index") });
    call.id ??= id;
    draft.addInput(call, property(definition, "arguments"));
  }

  function readReasoning(delta: unknown): void {
    for (const name of ["reasoning_content", "reasoning"]) {
      const text = textOf(property(delta, name)) ?? "";
      if (text !== "") reasoning[name] = (textOf(reasoning[name]) ?? "") + text;
    }
    const details = listOf(property(delta, "reasoning_details")).filter(isRecord);
    if (details.length > 0) {
      reasoning["reasoning_details"] = joinDetails([
        ...listOf(reasoning["reasoning_details"]),
        ...details,
      ]);
    }
    const isNew = draft.reasoning.length === 0 && Object.keys(reasoning).length > 0;
    if (isNew) draft.reasoning.push(reasoning);
  }

  return (chunk) => {
    readUsage(property(chunk, "usage"), draft);
    const choices = listOf(property(chunk, "choices"));
    const choice = choices.find((one) => (property(one, "index") ?? 0) === 0);
    if (choice === undefined) return;
    const whole = property(choice, "message");
    const delta = whole ?? property(choice, "delta");
    if (isRecord(whole)) draft.isComplete = true;
    readReasoning(delta);
    draft.addText(contentText(property(delta, "content")));
    const refusal = textOf(property(delta, "refusal"));
    if (refusal !== undefined && refusal !== "") {
      draft.addText(refusal);
      draft.finish = "refused";
    }
    for (const call of listOf(property(delta, "tool_calls"))) readCall(call);
    const reason = textOf(property(choice, "finish_reason"));
    if (reason === undefined || reason === "") return;
    draft.isComplete = true;
    if (draft.finish !== "refused") draft.finish = FINISHES.get(reason) ?? "other";
  };
}

const FINISHES = new Map([
  ["stop", "stop"],
  ["tool_calls", "calls"],
  ["function_call", "calls"],
  ["length", "length"],
  ["content_filter", "refused"],
] as const) as ReadonlyMap<string, NonNullable<AnswerDraft["finish"]>>;

/** Pieces of one detail follow each other and have the same type and index. */
function joinDetails(details: readonly unknown[]): unknown[] {
  const joined: Record<string, unknown>[] = [];
  for (const detail of details) {
    if (!isRecord(detail)) continue;
    const last = joined.at(-1);
    const isPiece =
      last !== undefined &&
      typeof detail["index"] === "number" &&
      last["type"] === detail["type"] &&
      last["index"] === detail["index"];
    if (!isPiece) {
      joined.push({ ...detail });
      continue;
    }
    for (const [name, value] of Object.entries(detail)) {
      const isText = name === "text" || name === "summary" || name === "data";
      const before = textOf(last[name]);
      if (isText && before !== undefined && typeof value === "string") last[name] = before + value;
      else if (value !== null && value !== undefined) last[name] = value;
    }
  }
  return joined;
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .filter((part) => (property(part, "type") ?? "text") === "text")
    .map((part) => textOf(property(part, "text")) ?? "")
    .join("");
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
