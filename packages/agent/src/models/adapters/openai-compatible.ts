import {
  type JsonSchema,
  defined,
  checkOptions,
  type OptionKinds,
  oneOf,
} from "@skillwright/core/internal";
import { endpointUrl } from "../http/endpoint.ts";
import {
  appendText,
  encodeJson,
  isRecord,
  type JsonRecord,
  listAt,
  property,
  textAt,
} from "../http/json.ts";
import type { ActionDefinition, Model, ModelError, ModelRequest } from "../model.ts";
import type { AnswerDraft, DraftCall } from "./answer.ts";
import { HTTP_OPTIONS, httpModel, type HttpModelOptions } from "./http-model.ts";
import { type Prompt, promptOf, resultText, type Turn } from "./turns.ts";
import { resemblesDecision, writtenDecision } from "./written-decision.ts";

export interface OpenAiCompatibleOptions extends HttpModelOptions {
  /** Up to and with `/v1`, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /**
   * How the model gives its decisions. `auto` offers tools and, where the endpoint refuses them,
   * reads decisions from JSON and passes them on as calls. Default `auto`.
   */
  readonly structured?: "tools" | "json_schema" | "json_object" | "auto";
}

const OPTIONS: OptionKinds<OpenAiCompatibleOptions> = {
  ...HTTP_OPTIONS,
  baseUrl: "string",
  structured: oneOf("tools", "json_schema", "json_object", "auto"),
};

/**
 * Any endpoint that speaks chat completions. Throws a `TypeError` for a base URL or sampling
 * parameters that cannot be used.
 */
export function openAiCompatible(options: OpenAiCompatibleOptions): Model {
  checkOptions("openAiCompatible", options, OPTIONS, ["baseUrl", "model", "contextTokens"]);
  const { model, apiKey, structured = "auto", acceptsImages = true } = options;
  const isAuto = structured === "auto";
  const unwanted = new Set<string>([
    ...(isAuto ? [] : DECISIONS.filter((one) => one !== structured)),
    ...(acceptsImages ? [] : ["images"]),
    ...(/^(?:o\d|gpt-[5-9])/.test(model) ? ["max_tokens"] : []),
  ]);
  /** What the endpoint refused once is not tried again. */
  const features = new Set(FEATURES.filter((one) => !unwanted.has(one)));
  const protocol = features.has("tools") ? "tools" : "json";
  return httpModel({ ...options, protocol }, "openai-compatible", (settings, base) => ({
    url: endpointUrl(base, "chat/completions"),
    headers: { authorization: apiKey === undefined ? undefined : `Bearer ${apiKey}` },
    ask: async (request, draft, send) => {
      for (;;) {
        const asked = new Set(features);
        const isWritten = !asked.has("tools");
        draft.isSilent = isAuto && isWritten;
        const prompt = promptOf(draft.isSilent ? withFinalAnswer(request) : request, {
          ...settings,
          protocol: isWritten ? "json" : "tools",
          acceptsImages: asked.has("images"),
        });
        const error = await send(chatBody(prompt, asked), createChunkReader(draft));
        if (error === undefined) {
          if (draft.isSilent) readDecision(draft, request);
          return undefined;
        }
        const refused = refusedFeature(error, asked, isAuto);
        if (refused === undefined || draft.text !== "" || draft.calls.length > 0) return error;
        features.delete(refused);
      }
    },
  }));
}

/** What endpoints may refuse, and the words they do it in. They differ, and none announces it. */
const REFUSALS = {
  stream_options: /stream_options|include_usage/i,
  max_tokens: /max_completion_tokens/i,
  /** That it sent itself. */
  reasoning: /\breasoning(?:_content|_details)?\b/i,
  images: /\bimage|\bvision\b|multi.?modal/i,
  tool_choice: /tool.?choice/i,
  tools: /\btool|function.?call|functions\b/i,
  json_schema: /response_format|json_?schema|structured|grammar|guided/i,
  json_object: /response_format|json/i,
};
type Feature = keyof typeof REFUSALS;
type Features = ReadonlySet<Feature>;

const FEATURES = Object.keys(REFUSALS) as Feature[];
/** How decisions are given: by the first of these that the endpoint has, else as text. */
const DECISIONS = ["tools", "json_schema", "json_object"] as const;

function refusedFeature(
  { status = 0, message }: ModelError,
  asked: Features,
  mayStepDown: boolean,
): Feature | undefined {
  if (![400, 404, 415, 422, 501].includes(status)) return undefined;
  // Only the words of the endpoint, without ours before them.
  const words = message.slice(message.indexOf(": ") + 2);
  const decisions = DECISIONS.find((one) => asked.has(one));
  const isInUse = (one: Feature) =>
    one === decisions ? mayStepDown : !DECISIONS.some((other) => other === one);
  return FEATURES.find((one) => asked.has(one) && isInUse(one) && REFUSALS[one].test(words));
}

const FINAL_ANSWER: ActionDefinition = {
  name: "final_answer",
  description: "Answer the person and end.",
  inputSchema: { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] },
};

function hasFinalAnswer({ actions }: ModelRequest): boolean {
  return actions.some(({ name }) => name === FINAL_ANSWER.name);
}

/** With tools an answer is plain text. In JSON it needs an action. */
function withFinalAnswer(request: ModelRequest): ModelRequest {
  const { actions } = request;
  const isComplete = actions.length === 0 || hasFinalAnswer(request);
  return isComplete ? request : { ...request, actions: [...actions, FINAL_ANSWER] };
}

/** Turns a decision written as JSON into the call or the answer that a model with tools gives. */
function readDecision(draft: AnswerDraft, request: ModelRequest): void {
  const { text, finish } = draft;
  draft.text = "";
  draft.isSilent = false;
  const names = request.actions.map((action) => action.name);
  const written = writtenDecision(text, [...names, FINAL_ANSWER.name, "use_tool"]);
  const isCut = finish === "length" || finish === "refused";
  const isAnswer = isCut || !resemblesDecision(text);
  if (names.length === 0 || (written === undefined && isAnswer)) return draft.addText(text);
  // JSON with prose around it is not an answer: the loop rejects this call, and the model tries again.
  const { name, input } = written ?? { name: FINAL_ANSWER.name, input: [text] };
  const answer = property(input, "answer");
  const isPlain = name === FINAL_ANSWER.name && !hasFinalAnswer(request);
  if (isPlain && typeof answer === "string") return draft.addText(answer);
  draft.addInput(draft.addCall("", name), input);
}

function chatBody(prompt: Prompt, features: Features): object {
  const { system, turns, tools, schema, maxTokens, model, sampling, stream } = prompt;
  const { temperature, topP: top_p, seed, reasoningEffort: reasoning_effort } = sampling;
  const hasReasoning = features.has("reasoning");
  return {
    model,
    messages: [
      ...(system === "" ? [] : [{ role: "system", content: system }]),
      ...turns.flatMap((turn) =>
        turn.role === "user" ? userMessages(turn) : assistantMessage(turn, hasReasoning),
      ),
    ],
    [features.has("max_tokens") ? "max_tokens" : "max_completion_tokens"]: maxTokens,
    ...defined({ temperature, top_p, seed, reasoning_effort }),
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: "function",
        function: { name, description, parameters: inputSchema },
      })),
      ...(features.has("tool_choice") && { tool_choice: "auto" }),
    }),
    ...(schema !== undefined && responseFormat(features, schema)),
    stream,
    ...(stream && features.has("stream_options") && { stream_options: { include_usage: true } }),
  };
}

function responseFormat(features: Features, schema: JsonSchema) {
  if (features.has("json_schema")) {
    // Strict would demand that every property is required, which actions with options are not.
    const json_schema = { name: "decision", strict: false, schema };
    return { response_format: { type: "json_schema", json_schema } };
  }
  return features.has("json_object") ? { response_format: { type: "json_object" } } : {};
}

/** Results are text only: their images follow in a message of the user. */
function userMessages({ results, content, images }: Turn): object[] {
  const messages: object[] = results.map((result) => ({
    role: "tool",
    tool_call_id: result.id,
    content: resultText(result),
  }));
  const shown = [...results.flatMap((result) => result.images), ...images];
  if (shown.length > 0) {
    const text = content || "Images from the tool results above:";
    const parts = shown.map(({ mediaType, data }) => ({
      type: "image_url",
      image_url: { url: `data:${mediaType};base64,${data}` },
    }));
    messages.push({ role: "user", content: [{ type: "text", text }, ...parts] });
  } else if (content !== "") messages.push({ role: "user", content });
  return messages;
}

/** Texts of reasoning, as endpoints name them: DeepSeek and vLLM, Ollama. OpenRouter has `details` too. */
const REASONING_TEXTS = ["reasoning_content", "reasoning"];
const REASONING_FIELDS = [...REASONING_TEXTS, "reasoning_details"];

function assistantMessage({ content, calls, reasoning }: Turn, hasReasoning: boolean) {
  const thoughts = (hasReasoning ? reasoning : []).flatMap((data) =>
    REASONING_FIELDS.map((name) => [name, property(data, name)] as const),
  );
  const tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: encodeJson(input) },
  }));
  return {
    role: "assistant",
    content,
    ...Object.fromEntries(thoughts.filter(([, value]) => value !== undefined)),
    ...(calls.length > 0 && { tool_calls }),
  };
}

/**
 * Takes chunks of a stream, or a whole answer, into the draft. Endpoints are taken as they are: calls
 * may lack an id or an index, arguments may be an object.
 */
function createChunkReader(draft: AnswerDraft): (chunk: unknown) => void {
  const reasoning: Record<string, unknown> = {};
  const details: Record<string, unknown>[] = [];

  /** The call that a piece belongs to. Some endpoints give every call the index 0, some give none. */
  function callOf(id: string, name: string, index: unknown): DraftCall {
    const isNext = id === "" && name === "";
    const known =
      typeof index === "number"
        ? draft.callAt(index)
        : draft.calls.findLast((call) => isNext || (id !== "" && call.id === id));
    const isAnother = name !== "" && id !== "" && known?.id !== undefined && known.id !== id;
    if (known === undefined || isAnother) return draft.addCall(id, name, index);
    known.name ||= name;
    known.id ??= id || undefined;
    return known;
  }

  function readReasoning(delta: unknown): void {
    appendText(reasoning, delta, REASONING_TEXTS);
    for (const detail of listAt(delta, "reasoning_details").filter(isRecord)) {
      addDetail(details, detail);
      reasoning["reasoning_details"] = details;
    }
    const isNew = draft.reasoning.length === 0 && Object.keys(reasoning).length > 0;
    if (isNew) draft.reasoning.push(reasoning);
  }

  return (chunk) => {
    const usage = property(chunk, "usage");
    if (isRecord(usage)) {
      const cacheRead = property(usage, "prompt_tokens_details", "cached_tokens");
      draft.count(usage["prompt_tokens"], usage["completion_tokens"], cacheRead);
    }
    const choices = listAt(chunk, "choices");
    const choice = choices.find((one) => (property(one, "index") ?? 0) === 0);
    const whole = property(choice, "message");
    const delta = whole ?? property(choice, "delta");
    readReasoning(delta);
    draft.addText(textAt(delta, "content"));
    for (const part of listAt(delta, "content")) {
      if ((property(part, "type") ?? "text") === "text") draft.addText(textAt(part, "text"));
    }
    for (const call of listAt(delta, "tool_calls")) {
      const index = property(call, "index");
      const piece = callOf(textAt(call, "id"), textAt(call, "function", "name"), index);
      draft.addInput(piece, property(call, "function", "arguments"));
    }
    const refusal = textAt(delta, "refusal");
    draft.addText(refusal);
    if (refusal !== "") draft.finish = "refused";
    if (isRecord(whole)) draft.isComplete = true;
    draft.end(property(choice, "finish_reason"));
  };
}

const DETAIL_TEXTS = ["text", "summary", "data"];

/** Pieces of one detail follow each other and have the same type and index. */
function addDetail(details: Record<string, unknown>[], detail: JsonRecord): void {
  const last = details.at(-1);
  const isPiece =
    typeof detail["index"] === "number" &&
    last?.["index"] === detail["index"] &&
    last["type"] === detail["type"];
  const others = Object.entries(detail).filter(
    ([name, value]) => !isPiece || (value !== null && !DETAIL_TEXTS.includes(name)),
  );
  const whole = { ...(isPiece && last), ...Object.fromEntries(others) };
  if (isPiece) appendText(whole, detail, DETAIL_TEXTS);
  details.splice(isPiece ? -1 : details.length, 1, whole);
}
