import { cleanText, networkError, statusError } from "../http/errors.ts";
import { isRecord, property, textAt } from "../http/json.ts";
import type {
  Model,
  ModelError,
  ModelImage,
  ModelProtocol,
  ModelRequest,
  Sampling,
} from "../model.ts";
import { CANCELED } from "../usage.ts";
import { type AnswerDraft, answerWith } from "./answer.ts";
import { describeModel, sampledAs } from "./sampling.ts";
import {
  type AssistantTurn,
  type CallResult,
  resultText,
  turnsOf,
  type UserTurn,
} from "./turns.ts";
import { decisionSchema, systemForText } from "./written-decision.ts";

/**
 * What we need of a model of the AI SDK, by shape: versions 2, 3 and 4 of its specification all have
 * it. Results are read like any foreign data, so nothing of them is declared here.
 */
export interface AiSdkModel {
  readonly specificationVersion: "v2" | "v3" | "v4";
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: AiSdkCall): PromiseLike<object>;
  doStream?(options: AiSdkCall): PromiseLike<{ readonly stream: ReadableStream<object> }>;
}

// Not readonly: every version's own type of the options must fit.
export interface AiSdkCall {
  prompt: object[];
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
  topP?: number | undefined;
  seed?: number | undefined;
  tools?: object[] | undefined;
  toolChoice?: object | undefined;
  responseFormat?: object | undefined;
  abortSignal?: AbortSignal | undefined;
}

export interface FromAiSdkOptions {
  /** How many tokens a request and its answer may have together. */
  readonly contextTokens: number;
  /** Default `tools`. */
  readonly protocol?: ModelProtocol;
  /** `reasoningEffort` needs a model of version 4; others take it from their provider's options. */
  readonly sampling?: Sampling;
  /** Default true. */
  readonly acceptsImages?: boolean;
  /** Passed to the model with every call. */
  readonly providerOptions?: Readonly<Record<string, object>>;
  /** Must not appear in any message: the key that the model was made with, if it is known. */
  readonly secrets?: readonly string[];
  readonly clock?: () => number;
}

/**
 * Any model of the AI SDK. It streams when the model can. Throws a `TypeError` for an unknown
 * specification or sampling parameters that cannot be used.
 */
export function fromAiSdk(model: AiSdkModel, options: FromAiSdkOptions): Model {
  const { protocol = "tools", providerOptions, secrets = [], clock = Date.now } = options;
  const { provider, modelId, specificationVersion: version } = model;
  if (!["v2", "v3", "v4"].includes(version)) {
    throw new TypeError(`unknown AI SDK specification ${version}`);
  }
  if (version !== "v4" && options.sampling?.reasoningEffort !== undefined) {
    throw new TypeError(
      `reasoningEffort needs a model of version 4 of the AI SDK; this one has ${version}: set it in providerOptions`,
    );
  }
  const described = describeModel({ ...options, provider, model: modelId, protocol });

  return {
    ...described,
    decide: (request, context = {}) =>
      answerWith(request, context, {
        provider,
        clock,
        ask: async (wired, draft) => {
          const { signal } = context;
          const isAborted = () => signal?.aborted === true;
          if (isAborted()) return CANCELED;
          const call: AiSdkCall = {
            ...callOptions(wired, { ...described, provider, version }),
            ...(providerOptions !== undefined && { providerOptions }),
            ...(signal !== undefined && { abortSignal: signal }),
          };
          draft.usage = { ...draft.usage, calls: 1 };
          try {
            const isAnswer = await readAnswer(model, call, createPartReader(draft));
            const message = "the model returned no answer";
            if (!isAnswer) return { code: "unreadable-answer", message, retryable: true };
          } catch (thrown) {
            return isAborted() ? CANCELED : thrownError(thrown, secrets, clock());
          }
          if (draft.isComplete) return undefined;
          if (isAborted()) return CANCELED;
          return { code: "provider-failed", message: "the response was cut off", retryable: true };
        },
      }),
  };
}

type Version = AiSdkModel["specificationVersion"];

interface CallSettings extends ReturnType<typeof describeModel> {
  readonly provider: string;
  readonly version: Version;
}

const SAMPLING = {
  temperature: "temperature",
  topP: "topP",
  seed: "seed",
  reasoningEffort: "reasoning",
};

/** Only images differ between the versions. */
function callOptions(request: ModelRequest, settings: CallSettings): AiSdkCall {
  const { actions } = request;
  const { protocol, version, sampling = {} } = settings;
  const system = protocol === "tools" ? request.system : systemForText(request);
  const hasTools = actions.length > 0 && protocol === "tools";
  const turns = turnsOf(request.messages, { ...settings, isPlain: !hasTools });
  return {
    prompt: [
      ...(system.trim() === "" ? [] : [{ role: "system", content: system }]),
      ...turns.flatMap((turn) =>
        turn.role === "user"
          ? userMessages(turn, version)
          : { role: "assistant", content: assistantParts(turn) },
      ),
    ],
    maxOutputTokens: Math.min(request.maxOutputTokens, settings.maxOutputTokens),
    ...sampledAs(sampling, SAMPLING),
    ...(hasTools && {
      tools: actions.map((action) => ({ type: "function", ...action })),
      toolChoice: { type: "auto" },
    }),
    ...(actions.length > 0 &&
      protocol === "json" && {
        responseFormat: { type: "json", name: "decision", schema: decisionSchema(actions) },
      }),
  };
}

function userMessages({ results, content, images }: UserTurn, version: Version): object[] {
  const resultParts = results.map((result) => ({
    type: "tool-result",
    toolCallId: result.id,
    toolName: result.name,
    output: resultOutput(result, version),
  }));
  const files = images.map(({ mediaType, data }) => {
    return { type: "file", mediaType, data: version === "v4" ? { type: "data", data } : data };
  });
  const texts = content === "" ? [] : [{ type: "text", text: content }];
  return [
    ...(resultParts.length > 0 ? [{ role: "tool", content: resultParts }] : []),
    ...(texts.length + files.length > 0 ? [{ role: "user", content: [...texts, ...files] }] : []),
  ];
}

function resultOutput(result: CallResult, version: Version): object {
  const value = resultText(result);
  if (result.images.length === 0) return { type: result.isError ? "error-text" : "text", value };
  const part = ({ mediaType, data }: ModelImage) => {
    if (version === "v2") return { type: "media", mediaType, data };
    if (version === "v3") return { type: "image-data", mediaType, data };
    return { type: "file", mediaType, data: { type: "data", data } };
  };
  return { type: "content", value: [{ type: "text", text: value }, ...result.images.map(part)] };
}

/** What a provider put beside a part goes back beside it. */
function assistantParts({ content, calls, reasoning }: AssistantTurn): object[] {
  const beside = (data: unknown) => {
    const providerOptions = property(data, "providerMetadata");
    return providerOptions === undefined ? {} : { providerOptions };
  };
  const at = (place: unknown) => beside(reasoning.find((data) => property(data, "part") === place));
  const thoughts = reasoning.filter((data) => property(data, "part") === "reasoning");
  return [
    ...thoughts.map((data) => ({
      type: "reasoning",
      text: textAt(data, "text"),
      ...beside(data),
    })),
    ...(content.trim() === "" ? [] : [{ type: "text", text: content, ...at("text") }]),
    ...calls.map(({ id, name, input }, index) => ({
      type: "tool-call",
      toolCallId: id,
      toolName: name,
      input,
      ...at(index),
    })),
  ];
}

/** False for a result without content, unlike one whose content is empty. */
async function readAnswer(
  model: AiSdkModel,
  call: AiSdkCall,
  readPart: (part: unknown) => void,
): Promise<boolean> {
  if (model.doStream === undefined) {
    const result: unknown = await model.doGenerate(call);
    const content = property(result, "content");
    if (!Array.isArray(content)) return false;
    for (const part of content as readonly unknown[]) readPart(part);
    readPart({ ...(result as object), type: "finish" });
    return true;
  }
  const { stream } = ((await model.doStream(call)) ?? {}) as { stream?: ReadableStream<object> };
  if (stream === undefined) return false;
  for await (const part of stream) {
    if (property(part, "type") === "error") throw property(part, "error");
    readPart(part);
  }
  return true;
}

/** Takes parts of a result, or of a stream, into the draft. */
function createPartReader(draft: AnswerDraft): (part: unknown) => void {
  const thoughts = new Map<unknown, Record<string, unknown>>();

  /** Keeps what the provider put beside a text or, by its place, a call. */
  function keep(part: unknown, place: "text" | number): void {
    const providerMetadata = property(part, "providerMetadata");
    if (isRecord(providerMetadata)) draft.reasoning.push({ part: place, providerMetadata });
  }

  function readThought(part: unknown): void {
    const id = property(part, "id");
    const thought = (id !== undefined && thoughts.get(id)) || { part: "reasoning", text: "" };
    if (!draft.reasoning.includes(thought)) draft.reasoning.push(thought);
    if (id !== undefined) thoughts.set(id, thought);
    thought["text"] = textAt(thought, "text") + textAt(part, "text") + textAt(part, "delta");
    const providerMetadata = property(part, "providerMetadata");
    if (isRecord(providerMetadata)) thought["providerMetadata"] = providerMetadata;
  }

  function callOf(part: unknown, id: unknown) {
    // The service carries some calls out itself.
    if (property(part, "providerExecuted") === true) return undefined;
    const name = textAt(part, "toolName");
    return draft.callAt(id) ?? draft.addCall(typeof id === "string" ? id : "", name, id);
  }

  function readCall(part: unknown): void {
    const id = property(part, "toolCallId");
    const input = property(part, "input");
    const isStreamed = draft.callAt(id) !== undefined;
    const call = callOf(part, id);
    if (call === undefined) return;
    if (!isStreamed) draft.addInput(call, input);
    else if (typeof input === "string") call.text = input;
    else call.input = input;
    keep(part, draft.calls.indexOf(call));
  }

  return (part) => {
    const type = textAt(part, "type");
    switch (type) {
      case "text":
      case "text-delta":
      case "text-end":
        draft.addText(textAt(part, type === "text" ? "text" : "delta"));
        if (type !== "text-delta") keep(part, "text");
        break;
      case "reasoning":
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        readThought(part);
        break;
      case "tool-input-start":
        callOf(part, property(part, "id"));
        break;
      case "tool-input-delta":
        draft.addInput(draft.callAt(property(part, "id")), textAt(part, "delta"));
        break;
      case "tool-call":
        readCall(part);
        break;
      case "finish":
        readEnd(part, draft);
        break;
      default:
    }
  };
}

/** Version 2 has flat fields where later ones have objects. */
function readEnd(end: unknown, draft: AnswerDraft): void {
  draft.end(textAt(end, "finishReason") || textAt(end, "finishReason", "unified") || "other");
  const usage = property(end, "usage");
  const input = property(usage, "inputTokens");
  const output = property(usage, "outputTokens");
  draft.count(
    property(input, "total") ?? input,
    property(output, "total") ?? output,
    property(input, "cacheRead") ?? property(usage, "cachedInputTokens"),
    property(input, "cacheWrite"),
  );
}

/** What a model of the AI SDK threw, by its shape: copies of its classes differ, the fields do not. */
function thrownError(thrown: unknown, secrets: readonly string[], now: number): ModelError {
  const url = textAt(thrown, "url");
  const status = property(thrown, "statusCode");
  const message = textAt(thrown, "message") || String(thrown);
  if (typeof status === "number" && status >= 300) {
    const body = textAt(thrown, "responseBody") || message;
    const headers = headersOf(thrown);
    return statusError(status, headers, body, { endpoint: { url, secrets }, now });
  }
  const name = thrown instanceof Error ? thrown.name : "";
  const text = cleanText(message, secrets);
  if (typeof status === "number" || /JSON|TypeValidation|NoContent/.test(name)) {
    const problem = `the response of the model cannot be read: ${text}`;
    return { code: "unreadable-answer", message: problem, retryable: true };
  }
  const isConnection = url !== "" || /fetch failed|network|socket/i.test(message);
  if (isConnection) return networkError(thrown, { url }, "connecting");
  const retryable = property(thrown, "isRetryable") === true;
  return { code: "provider-failed", message: `the model failed: ${text}`, retryable };
}

function headersOf(thrown: unknown): Headers {
  const names = ["retry-after", "retry-after-ms", "location"];
  const values = names.map((name) => [name, textAt(thrown, "responseHeaders", name)] as const);
  return new Headers(values.filter(([, text]) => text !== "").map(([name, text]) => [name, text]));
}
