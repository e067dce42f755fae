import { endpointUrl, type HttpModelOptions } from "../http/endpoint.ts";
import { encodeJson, isRecord, type JsonRecord, listAt, property, textAt } from "../http/json.ts";
import type { ActionDefinition, Model, ModelError, ModelRequest } from "../model.ts";
import type { AnswerDraft, DraftCall } from "./answer.ts";
import { httpModel, type Settings } from "./http-model.ts";
import { sampledAs } from "./sampling.ts";
import { type AssistantTurn, resultText, turnsOf, type UserTurn } from "./turns.ts";
import {
  decisionSchema,
  systemForText,
  writtenDecision,
  resemblesDecision,
} from "./written-decision.ts";

export interface OpenAiCompatibleOptions extends HttpModelOptions {
  /** Up to and with `/v1`, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /**
   * How the model gives its decisions. `auto` offers tools and, where the endpoint refuses them,
   * reads decisions from JSON and passes them on as calls. Default `auto`.
   */
  readonly structured?: "tools" | "json_schema" | "json_object" | "auto";
}

/**
 * Any endpoint that speaks chat completions. Throws a `TypeError` for a base URL or sampling
 * parameters that cannot be used.
 */
export function openAiCompatible(options: OpenAiCompatibleOptions): Model {
  const { model, structured = "auto", acceptsImages = true } = options;
  const isAuto = structured === "auto";
  const decisions = isAuto ? "tools" : structured;
  // What the endpoint refused once is not tried again.
  let features: Features = {
    decisions,
    toolChoice: true,
    streamOptions: true,
    tokenLimit: /^(?:o\d|gpt-[5-9])/.test(model) ? "max_completion_tokens" : "max_tokens",
    images: acceptsImages,
    reasoning: true,
  };
  return httpModel(options, {
    provider: "openai-compatible",
    protocol: decisions === "tools" ? "tools" : "json",
    url: (base) => endpointUrl(base, "chat/completions"),
    keyHeader: (key) => ({ authorization: `Bearer ${key}` }),
    ask: async (request, draft, settings, send) => {
      for (;;) {
        const asked = features;
        draft.isSilent = isAuto && asked.decisions !== "tools";
        const answerable = draft.isSilent ? withFinalAnswer(request) : request;
        const error = await send(chatBody(answerable, settings, asked), createChunkReader(draft));
        if (error === undefined) {
          if (draft.isSilent) readDecision(draft, request);
          return undefined;
        }
        // Another request may have learned the same, or something else, in the meantime.
        const next = withoutRefused(features, error, isAuto);
        const isLearned =
          next !== undefined ||
          (features !== asked && withoutRefused(asked, error, isAuto) !== undefined);
        if (!isLearned || draft.text !== "" || draft.calls.length > 0) return error;
        features = next ?? features;
      }
    },
  });
}

/** What an endpoint accepts, as far as known. Endpoints differ, and none announces it. */
interface Features {
  readonly decisions: "tools" | "json_schema" | "json_object" | "text";
  readonly toolChoice: boolean;
  readonly streamOptions: boolean;
  readonly tokenLimit: "max_tokens" | "max_completion_tokens";
  readonly images: boolean;
  /** Accepts the reasoning that it sent. */
  readonly reasoning: boolean;
}

const FINAL_ANSWER: ActionDefinition = {
  name: "final_answer",
  description: "Answer the person and end.",
  inputSchema: { type: "object", properties: { answer: { type: "string" } }, required: ["answer"] },
};

/** With tools an answer is plain text. In JSON it needs an action. */
function withFinalAnswer(request: ModelRequest): ModelRequest {
  const { actions } = request;
  return actions.length === 0 || hasFinalAnswer(request)
    ? request
    : { ...request, actions: [...actions, FINAL_ANSWER] };
}

function hasFinalAnswer({ actions }: ModelRequest): boolean {
  return actions.some(({ name }) => name === FINAL_ANSWER.name);
}

/** Turns a decision written as JSON into the call or the answer that a model with tools gives. */
function readDecision(draft: AnswerDraft, request: ModelRequest): void {
  const { text } = draft;
  draft.text = "";
  draft.isSilent = false;
  const names = [...request.actions.map(({ name }) => name), FINAL_ANSWER.name, "use_tool"];
  const written = request.actions.length === 0 ? undefined : writtenDecision(text, names);
  if (written === undefined) {
    const isCut = draft.finish === "length" || draft.finish === "refused";
    // JSON with prose around it is not an answer: the loop rejects this call, and the model tries again.
    const isAnswer = isCut || request.actions.length === 0 || !resemblesDecision(text);
    if (isAnswer) return draft.addText(text);
    return draft.addInput(draft.addCall("", FINAL_ANSWER.name), [text]);
  }
  const answer = property(written.input, "answer");
  const isAnswer = written.name === FINAL_ANSWER.name && !hasFinalAnswer(request);
  if (isAnswer && typeof answer === "string") return draft.addText(answer);
  draft.addInput(draft.addCall("", written.name), written.input);
}

/** Asked with these features, an endpoint that refuses in such words is asked with the others next. */
const LESSONS: readonly (readonly [
  asked: Partial<Features>,
  refusal: RegExp,
  next: Partial<Features>,
])[] = [
  [{ streamOptions: true }, /stream_options|include_usage/i, { streamOptions: false }],
  [{ tokenLimit: "max_tokens" }, /max_completion_tokens/i, { tokenLimit: "max_completion_tokens" }],
  [{ reasoning: true }, /\breasoning(?:_content|_details)?\b/i, { reasoning: false }],
  [{ images: true }, /\bimage|\bvision\b|multi.?modal/i, { images: false }],
  [{ decisions: "tools", toolChoice: true }, /tool.?choice/i, { toolChoice: false }],
  [{ decisions: "tools" }, /\btool|function.?call|functions\b/i, { decisions: "json_schema" }],
  [
    { decisions: "json_schema" },
    /response_format|json_?schema|structured|grammar|guided/i,
    { decisions: "json_object" },
  ],
  [{ decisions: "json_object" }, /response_format|json/i, { decisions: "text" }],
];

/**
 * The features without the one that the endpoint refused; undefined when it refused something else.
 * Each lesson applies once, so there are few attempts.
 */
function withoutRefused(
  features: Features,
  error: ModelError,
  mayStepDown: boolean,
): Features | undefined {
  if (![400, 404, 415, 422, 501].includes(error.status ?? 0)) return undefined;
  // Only the words of the endpoint, without ours before them.
  const words = error.message.slice(error.message.indexOf(": ") + 2);
  const lesson = LESSONS.find(
    ([asked, refusal, next]) =>
      Object.entries(asked).every(([name, value]) => features[name as keyof Features] === value) &&
      (mayStepDown || next.decisions === undefined) &&
      refusal.test(words),
  );
  return lesson && { ...features, ...lesson[2] };
}

const SAMPLING = {
  temperature: "temperature",
  topP: "top_p",
  seed: "seed",
  reasoningEffort: "reasoning_effort",
};

function chatBody(
  request: ModelRequest,
  { model, provider, maxOutputTokens, sampling, stream }: Settings,
  features: Features,
): Record<string, unknown> {
  const { actions } = request;
  const hasTools = features.decisions === "tools" && actions.length > 0;
  const system = features.decisions === "tools" ? request.system : systemForText(request);
  const options = { provider, acceptsImages: features.images, isPlain: !hasTools };
  const turns = turnsOf(request.messages, options);
  return {
    model,
    messages: [
      ...(system.trim() === "" ? [] : [{ role: "system", content: system }]),
      ...turns.flatMap((turn) =>
        turn.role === "user" ? userMessages(turn) : assistantMessage(turn, features),
      ),
    ],
    [features.tokenLimit]: Math.min(request.maxOutputTokens, maxOutputTokens),
    ...sampledAs(sampling, SAMPLING),
    ...(hasTools && {
      tools: actions.map(({ name, description, inputSchema }) => ({
        type: "function",
        function: { name, description, parameters: inputSchema },
      })),
      ...(features.toolChoice && { tool_choice: "auto" }),
    }),
    ...(actions.length > 0 && responseFormat(request, features)),
    stream,
    ...(stream && features.streamOptions && { stream_options: { include_usage: true } }),
  };
}

function responseFormat({ actions }: ModelRequest, { decisions }: Features) {
  if (decisions === "json_object") return { response_format: { type: "json_object" } };
  if (decisions !== "json_schema") return {};
  // Strict would demand that every property is required, which actions with options are not.
  const json_schema = { name: "decision", strict: false, schema: decisionSchema(actions) };
  return { response_format: { type: "json_schema", json_schema } };
}

/** Results are text only: their images follow in a message of the user. */
function userMessages({ results, content, images }: UserTurn): object[] {
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

/** The names that endpoints use: DeepSeek and vLLM, Ollama, OpenRouter. */
const REASONING_FIELDS = ["reasoning_content", "reasoning", "reasoning_details"] as const;

function assistantMessage({ content, calls, reasoning }: AssistantTurn, features: Features) {
  const thoughts = (features.reasoning ? reasoning : []).flatMap((data) =>
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
  const details: JsonRecord[] = [];

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
    for (const name of ["reasoning_content", "reasoning"]) {
      const text = textAt(delta, name);
      if (text !== "") reasoning[name] = textAt(reasoning, name) + text;
    }
    for (const detail of listAt(delta, "reasoning_details").filter(isRecord)) {
      addDetail(details, detail);
      reasoning["reasoning_details"] = details;
    }
    const isNew = draft.reasoning.length === 0 && Object.keys(reasoning).length > 0;
    if (isNew) draft.reasoning.push(reasoning);
  }

  return (chunk) => {
    readUsage(property(chunk, "usage"), draft);
    const choices = listAt(chunk, "choices");
    const choice = choices.find((one) => (property(one, "index") ?? 0) === 0);
    const whole = property(choice, "message");
    const delta = whole ?? property(choice, "delta");
    readReasoning(delta);
    draft.addText(contentText(property(delta, "content")));
    const refusal = textAt(delta, "refusal");
    draft.addText(refusal);
    for (const call of listAt(delta, "tool_calls")) {
      const { index } = isRecord(call) ? call : {};
      const piece = callOf(textAt(call, "id"), textAt(call, "function", "name"), index);
      draft.addInput(piece, property(call, "function", "arguments"));
    }
    if (refusal !== "") draft.finish = "refused";
    if (isRecord(whole)) draft.isComplete = true;
    draft.end(property(choice, "finish_reason"));
  };
}

/** Pieces of one detail follow each other and have the same type and index. */
function addDetail(details: JsonRecord[], detail: JsonRecord): void {
  const last = details.at(-1);
  const isPiece =
    typeof detail["index"] === "number" &&
    last?.["index"] === detail["index"] &&
    last["type"] === detail["type"];
  if (last === undefined || !isPiece) {
    details.push(detail);
    return;
  }
  const given = Object.entries(detail).filter(([, value]) => value !== null);
  const texts = ["text", "summary", "data"]
    .filter((name) => textAt(last, name) !== "" && textAt(detail, name) !== "")
    .map((name) => [name, textAt(last, name) + textAt(detail, name)] as const);
  details[details.length - 1] = { ...last, ...Object.fromEntries([...given, ...texts]) };
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return (Array.isArray(content) ? (content as unknown[]) : [])
    .filter((part) => (property(part, "type") ?? "text") === "text")
    .map((part) => textAt(part, "text"))
    .join("");
}

function readUsage(usage: unknown, draft: AnswerDraft): void {
  if (!isRecord(usage)) return;
  const cacheRead = property(usage, "prompt_tokens_details", "cached_tokens");
  draft.count(usage["prompt_tokens"], usage["completion_tokens"], cacheRead);
}
