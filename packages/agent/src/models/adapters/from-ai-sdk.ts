import { cleanText, networkError, statusError } from "../http/errors.ts";
import { countOf, isRecord, property, textOf } from "../http/json.ts";
import type {
  Model,
  ModelContext,
  ModelError,
  ModelImage,
  ModelProtocol,
  ModelRequest,
  Sampling,
} from "../model.ts";
import { CANCELED } from "../usage.ts";
import { type AnswerDraft, answerWith, type DraftCall } from "./answer.ts";
import { describeModel } from "./sampling.ts";
import {
  type AssistantTurn,
  type CallResult,
  pairCalls,
  plainTurns,
  resultText,
  type Turn,
} from "./turns.ts";
import { decisionSchema, systemForText } from "./written-decision.ts";

/**
 * What we need of a model of the AI SDK, by shape: versions 2, 3 and 4 of its specification all have
 * it. Results are read with care, so that nothing of them is promised here.
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

interface CallSettings {
  readonly provider: string;
  readonly version: AiSdkModel["specificationVersion"];
  readonly protocol: ModelProtocol;
  readonly maxOutputTokens: number;
  readonly acceptsImages: boolean;
  readonly sampling?: Sampling;
}

/** A request in the words of the AI SDK. Only images differ between its versions. */
function callOptions(request: ModelRequest, settings: CallSettings): AiSdkCall {
  const { actions } = request;
  const { protocol, version, sampling = {} } = settings;
  const { temperature, topP, seed, reasoningEffort } = sampling;
  const system = protocol === "tools" ? request.system : systemForText(request);
  const turns = pairCalls(request.messages, settings);
  const hasActions = actions.length > 0;
  const hasTools = hasActions && protocol === "tools";
  const messages = hasTools
    ? turns.flatMap((turn) => toolTurn(turn, version))
    : plainMessages(turns, version);
  return {
    prompt: [...(system.trim() === "" ? [] : [{ role: "system", content: system }]), ...messages],
    maxOutputTokens: Math.min(request.maxOutputTokens, settings.maxOutputTokens),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
    ...(reasoningEffort !== undefined && { reasoning: reasoningEffort }),
    ...(hasTools && {
      tools: actions.map((action) => ({ type: "function", ...action })),
      toolChoice: { type: "auto" },
    }),
    ...(hasActions &&
      protocol === "json" && {
        responseFormat: { type: "json", name: "decision", schema: decisionSchema(actions) },
      }),
  };
}

type Version = AiSdkModel["specificationVersion"];

function toolTurn(turn: Turn, version: Version): object[] {
  if (turn.role === "user") return plainMessages([turn], version);
  const { calls } = turn;
  const results = calls.map(({ id, name, result }) => ({
    type: "tool-result",
    toolCallId: id,
    toolName: name,
    output: resultOutput(result, version),
  }));
  return [
    { role: "assistant", content: assistantParts(turn) },
    ...(results.length > 0 ? [{ role: "tool", content: results }] : []),
  ];
}

/** What a provider put beside a part goes back beside it. */
function assistantParts({ content, calls, reasoning }: AssistantTurn): object[] {
  const metadata = (part: unknown) => {
    const data = reasoning.find((one) => property(one, "part") === part);
    const given = property(data, "providerMetadata");
    return given === undefined ? {} : { providerOptions: given };
  };
  const thoughts = reasoning
    .filter((data) => property(data, "part") === "reasoning")
    .map((data) => {
      const given = property(data, "providerMetadata");
      const text = textOf(property(data, "text")) ?? "";
      return { type: "reasoning", text, ...(given !== undefined && { providerOptions: given }) };
    });
  const texts = content.trim() === "" ? [] : [{ type: "text", text: content, ...metadata("text") }];
  const callParts = calls.map(({ id, name, input }, index) => ({
    type: "tool-call",
    toolCallId: id,
    toolName: name,
    input,
    ...metadata(index),
  }));
  return [...thoughts, ...texts, ...callParts];
}

function resultOutput(result: CallResult, version: Version): object {
  const value = resultText(result);
  if (result.images.length === 0) return { type: result.isError ? "error-text" : "text", value };
  const parts = result.images.map(({ mediaType, data }) => {
    if (version === "v2") return { type: "media", mediaType, data };
    if (version === "v3") return { type: "image-data", mediaType, data };
    return { type: "file", mediaType, data: { type: "data", data } };
  });
  return { type: "content", value: [{ type: "text", text: value }, ...parts] };
}

function plainMessages(turns: readonly Turn[], version: Version): object[] {
  return plainTurns(turns).map((turn) => {
    const images = turn.role === "user" ? turn.images : [];
    const files = images.map((image) => filePart(image, version));
    return { role: turn.role, content: [{ type: "text", text: turn.content }, ...files] };
  });
}

function filePart({ mediaType, data }: ModelImage, version: Version): object {
  return { type: "file", mediaType, data: version === "v4" ? { type: "data", data } : data };
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
  /** Must be in no message: the key that the model was made with, if it is known. */
  readonly secrets?: readonly string[];
  readonly clock?: () => number;
}

/**
 * Any model of the AI SDK. It streams when the model can. Throws a `TypeError` for an unknown
 * specification or sampling parameters that cannot be used.
 */
export function fromAiSdk(model: AiSdkModel, options: FromAiSdkOptions): Model {
  const { protocol = "tools", secrets = [], clock = Date.now } = options;
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

  async function ask(
    request: ModelRequest,
    draft: AnswerDraft,
    { signal }: ModelContext,
  ): Promise<ModelError | undefined> {
    if (isAborted(signal)) return CANCELED;
    const { providerOptions } = options;
    const call: AiSdkCall = {
      ...callOptions(request, { ...described, provider, version }),
      ...(providerOptions !== undefined && { providerOptions }),
      ...(signal !== undefined && { abortSignal: signal }),
    };
    draft.usage = { ...draft.usage, calls: 1 };
    try {
      const isAnswer = await (model.doStream === undefined ? readWhole : readStream)(
        model,
        call,
        draft,
      );
      if (!isAnswer) return UNREADABLE;
    } catch (thrown) {
      return isAborted(signal) ? CANCELED : thrownError(thrown, { now: clock(), secrets });
    }
    if (draft.isComplete) return undefined;
    if (isAborted(signal)) return CANCELED;
    return { code: "provider-failed", message: "the response was cut off", retryable: true };
  }

  return {
    ...described,
    decide: (request, context = {}) =>
      answerWith(request, context, {
        provider,
        clock,
        ask: (wired, draft) => ask(wired, draft, context),
      }),
  };
}

const UNREADABLE: ModelError = {
  code: "unreadable-answer",
  message: "the model returned no answer",
  retryable: true,
};

type ReadAnswer = (model: AiSdkModel, call: AiSdkCall, draft: AnswerDraft) => Promise<boolean>;

/** False for what has no content at all, other than one that is empty. */
const readWhole: ReadAnswer = async (model, call, draft) => {
  const result: unknown = await model.doGenerate(call);
  const content = property(result, "content");
  if (!Array.isArray(content)) return false;
  const readPart = createPartReader(draft);
  for (const part of content as readonly unknown[]) readPart(part);
  readEnd(result, draft);
  return true;
};

const readStream: ReadAnswer = async (model, call, draft) => {
  const result = (await model.doStream?.(call)) as { stream?: ReadableStream<object> } | undefined;
  if (result?.stream === undefined) return false;
  const readPart = createPartReader(draft);
  for await (const part of result.stream) {
    if (property(part, "type") === "error") throw property(part, "error");
    readPart(part);
  }
  return true;
};

/** Takes parts of a result, or of a stream, into the draft. */
function createPartReader(draft: AnswerDraft): (part: unknown) => void {
  const calls = new Map<unknown, DraftCall>();
  const thoughts = new Map<unknown, Record<string, unknown>>();

  function keep(part: unknown, place: "text" | number): void {
    const providerMetadata = property(part, "providerMetadata");
    if (isRecord(providerMetadata)) draft.reasoning.push({ part: place, providerMetadata });
  }

  function readThought(part: unknown, text: unknown): void {
    const id = property(part, "id");
    const thought = (id !== undefined && thoughts.get(id)) || { part: "reasoning", text: "" };
    if (!draft.reasoning.includes(thought)) draft.reasoning.push(thought);
    if (id !== undefined) thoughts.set(id, thought);
    thought["text"] = (textOf(thought["text"]) ?? "") + (textOf(text) ?? "");
    const providerMetadata = property(part, "providerMetadata");
    if (isRecord(providerMetadata)) thought["providerMetadata"] = providerMetadata;
  }

  function callOf(part: unknown, id: unknown): DraftCall | undefined {
    // The service carries it out itself.
    if (property(part, "providerExecuted") === true) return undefined;
    const known = calls.get(id);
    if (known !== undefined) return known;
    const call = draft.addCall(textOf(id) || undefined, textOf(property(part, "toolName")) ?? "");
    calls.set(id, call);
    return call;
  }

  function readCall(part: unknown): void {
    const id = property(part, "toolCallId");
    const isStreamed = calls.has(id);
    const call = callOf(part, id);
    if (call === undefined) return;
    const input = property(part, "input");
    if (!isStreamed) draft.addInput(call, input);
    else if (typeof input === "string") call.pieces.splice(0, Infinity, input);
    else call.input = input;
    keep(part, draft.calls.indexOf(call));
  }

  return (part) => {
    switch (property(part, "type")) {
      case "text": {
        draft.addText(textOf(property(part, "text")) ?? "");
        keep(part, "text");
        break;
      }
      case "text-delta": {
        draft.addText(textOf(property(part, "delta")) ?? "");
        break;
      }
      case "text-end": {
        keep(part, "text");
        break;
      }
      case "reasoning": {
        readThought(part, property(part, "text"));
        break;
      }
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end": {
        readThought(part, property(part, "delta"));
        break;
      }
      case "tool-input-start": {
        callOf(part, property(part, "id"));
        break;
      }
      case "tool-input-delta": {
        const call = calls.get(property(part, "id"));
        if (call !== undefined) draft.addInput(call, textOf(property(part, "delta")));
        break;
      }
      case "tool-call": {
        readCall(part);
        break;
      }
      case "finish": {
        readEnd(part, draft);
        break;
      }
      default:
    }
  };
}

/** Of a whole result, or the last part of a stream. */
function readEnd(end: unknown, draft: AnswerDraft): void {
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

interface ThrownContext {
  readonly now: number;
  readonly secrets: readonly string[];
}

/** What a model of the AI SDK threw, by its shape: copies of its classes differ, the fields do not. */
function thrownError(thrown: unknown, { now, secrets }: ThrownContext): ModelError {
  const url = textOf(property(thrown, "url")) ?? "";
  const status = property(thrown, "statusCode");
  const message = textOf(property(thrown, "message")) ?? String(thrown);
  if (typeof status === "number" && status >= 300) {
    const body = textOf(property(thrown, "responseBody")) || message;
    const headers = headersOf(property(thrown, "responseHeaders"));
    return statusError(status, headers, body, { endpoint: { url, secrets }, now });
  }
  if (typeof status === "number" || /JSON|TypeValidation|NoContent/.test(nameOf(thrown))) {
    const text = `the response of the model cannot be read: ${cleanText(message, secrets)}`;
    return { code: "unreadable-answer", message: text, retryable: true };
  }
  const isConnection = url !== "" || /fetch failed|network|socket/i.test(message);
  if (isConnection) return networkError(thrown, { url }, "connecting");
  const text = `the model failed: ${cleanText(message, secrets)}`;
  return {
    code: "provider-failed",
    message: text,
    retryable: property(thrown, "isRetryable") === true,
  };
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : "";
}

function headersOf(value: unknown): Headers {
  const headers = new Headers();
  if (!isRecord(value)) return headers;
  for (const name of ["retry-after", "retry-after-ms", "location"]) {
    const text = textOf(value[name]);
    if (text !== undefined) headers.set(name, text);
  }
  return headers;
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
