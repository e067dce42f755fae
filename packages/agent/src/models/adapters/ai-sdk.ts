import { defined, checkOptions, type OptionKinds, oneOf } from "@skillwright/core/internal";
import { cleanText, networkError, statusError } from "../http/errors.ts";
import { isRecord, property, textAt } from "../http/json.ts";
import type { Model, ModelError, ModelProtocol } from "../model.ts";
import { type AnswerDraft, modelWith } from "./answer.ts";
import type { HttpModelOptions } from "./http-model.ts";
import { settingsOf } from "./settings.ts";
import { type CallResult, type Prompt, promptOf, resultText, type Turn } from "./turns.ts";

/**
 * What we need of a model of the AI SDK, by shape. Results are read like any foreign data, so nothing of
 * them is declared here.
 */
export interface AiSdkModel {
  readonly specificationVersion: "v3";
  readonly provider: string;
  readonly modelId: string;
  doStream(options: object): PromiseLike<{ readonly stream: ReadableStream<object> }>;
}

/** `sampling` has no `reasoningEffort` here: each provider has its own option for that. */
export interface FromAiSdkOptions extends Pick<
  HttpModelOptions,
  "contextTokens" | "sampling" | "acceptsImages" | "clock"
> {
  /** Default `tools`. */
  readonly protocol?: ModelProtocol;
  /** Passed to the model with every call. */
  readonly providerOptions?: Readonly<Record<string, object>>;
  /** Must not appear in any message: the key that the model was made with, if it is known. */
  readonly secrets?: readonly string[];
}

const OPTIONS: OptionKinds<FromAiSdkOptions> = {
  contextTokens: "number",
  sampling: "object",
  acceptsImages: "boolean",
  clock: "function",
  protocol: oneOf("tools", "json"),
  providerOptions: "object",
  secrets: "strings",
};

/**
 * Any model of the AI SDK that has version 3 of its specification. Throws a `TypeError` for others and
 * for sampling parameters that cannot be used.
 */
export function fromAiSdk(model: AiSdkModel, options: FromAiSdkOptions): Model {
  checkOptions("fromAiSdk", options, OPTIONS, ["contextTokens"]);
  const { providerOptions, secrets = [], clock = Date.now } = options;
  const { provider, modelId, specificationVersion: version } = model;
  if (version !== "v3") throw new TypeError(`unknown AI SDK specification ${String(version)}`);
  if (options.sampling?.reasoningEffort !== undefined) {
    throw new TypeError("set reasoningEffort in providerOptions: each provider has its own option");
  }
  const settings = settingsOf({ ...options, provider, model: modelId });
  const { temperature, topP, seed } = settings.sampling;
  const fixed = defined({ temperature, topP, seed, providerOptions });
  return modelWith(
    settings,
    async (request, draft, abortSignal) => {
      const prompt = callOptions(promptOf(request, settings));
      const read = createPartReader(draft);
      draft.usage = { ...draft.usage, calls: 1 };
      try {
        const call = { ...prompt, ...fixed, ...defined({ abortSignal }) };
        const answer: { stream?: ReadableStream<object> } | undefined = await model.doStream(call);
        if (answer?.stream === undefined) {
          const message = "the model returned no answer";
          return { code: "unreadable-answer", message, retryable: true };
        }
        for await (const part of answer.stream) {
          if (property(part, "type") === "error") throw property(part, "error");
          read(part);
        }
      } catch (thrown) {
        return thrownError(thrown, secrets, clock);
      }
      if (draft.isComplete) return undefined;
      return { code: "provider-failed", message: "the response was cut off", retryable: true };
    },
    clock,
  );
}

function callOptions({ system, turns, tools, schema, maxTokens }: Prompt): object {
  return {
    prompt: [
      ...(system === "" ? [] : [{ role: "system", content: system }]),
      ...turns.flatMap((turn) =>
        turn.role === "user"
          ? userMessages(turn)
          : { role: "assistant", content: assistantParts(turn) },
      ),
    ],
    maxOutputTokens: maxTokens,
    ...(tools.length > 0 && {
      tools: tools.map((action) => ({ type: "function", ...action })),
      toolChoice: { type: "auto" },
    }),
    ...(schema && { responseFormat: { type: "json", name: "decision", schema } }),
  };
}

function userMessages({ results, content, images }: Turn): object[] {
  const resultParts = results.map((result) => ({
    type: "tool-result",
    toolCallId: result.id,
    toolName: result.name,
    output: resultOutput(result),
  }));
  const texts = content === "" ? [] : [{ type: "text", text: content }];
  const parts = [
    ...texts,
    ...images.map(({ mediaType, data }) => ({ type: "file", mediaType, data })),
  ];
  return [
    ...(resultParts.length > 0 ? [{ role: "tool", content: resultParts }] : []),
    ...(parts.length > 0 ? [{ role: "user", content: parts }] : []),
  ];
}

function resultOutput(result: CallResult): object {
  const value = resultText(result);
  if (result.images.length === 0) return { type: result.isError ? "error-text" : "text", value };
  const images = result.images.map(({ mediaType, data }) => ({
    type: "image-data",
    mediaType,
    data,
  }));
  return { type: "content", value: [{ type: "text", text: value }, ...images] };
}

/** What a provider put beside a part goes back beside it. */
function assistantParts({ content, calls, reasoning }: Turn): object[] {
  const beside = (data: unknown) =>
    defined({ providerOptions: property(data, "providerMetadata") });
  const at = (place: unknown) => beside(reasoning.find((data) => property(data, "part") === place));
  const thoughts = reasoning.filter((data) => property(data, "part") === "reasoning");
  return [
    ...thoughts.map((data) => ({ type: "reasoning", text: textAt(data, "text"), ...beside(data) })),
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

/** Takes parts of a stream into the draft. */
function createPartReader(draft: AnswerDraft): (part: unknown) => void {
  const thoughts = new Map<unknown, Record<string, unknown>>();

  /** Keeps what the provider put beside a text or, by its place, a call. */
  function keep(part: unknown, place: "text" | number): void {
    const providerMetadata = property(part, "providerMetadata");
    if (isRecord(providerMetadata)) draft.reasoning.push({ part: place, providerMetadata });
  }

  function readThought(part: unknown, id: unknown): void {
    const thought = thoughts.get(id) ?? { part: "reasoning", text: "" };
    if (!thoughts.has(id)) draft.reasoning.push(thought);
    thoughts.set(id, thought);
    thought["text"] = textAt(thought, "text") + textAt(part, "delta");
    const providerMetadata = property(part, "providerMetadata");
    if (isRecord(providerMetadata)) thought["providerMetadata"] = providerMetadata;
  }

  function callOf(part: unknown, id: unknown) {
    // The service carries some calls out itself.
    if (property(part, "providerExecuted") === true) return undefined;
    const name = textAt(part, "toolName");
    return draft.callAt(id) ?? draft.addCall(typeof id === "string" ? id : "", name, id);
  }

  function readCall(part: unknown, id: unknown): void {
    const isStreamed = draft.callAt(id) !== undefined;
    const call = callOf(part, id);
    if (call === undefined) return;
    if (isStreamed) call.input = textAt(part, "input");
    else draft.addInput(call, property(part, "input"));
    keep(part, draft.calls.indexOf(call));
  }

  return (part) => {
    const id = property(part, "id");
    switch (property(part, "type")) {
      case "text-delta":
        return draft.addText(textAt(part, "delta"));
      case "text-end":
        return keep(part, "text");
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        return readThought(part, id);
      case "tool-input-start":
        return void callOf(part, id);
      case "tool-input-delta":
        return draft.addInput(draft.callAt(id), textAt(part, "delta"));
      case "tool-call":
        return readCall(part, property(part, "toolCallId"));
      case "finish":
        return readEnd(part, draft);
      default:
    }
  };
}

function readEnd(end: unknown, draft: AnswerDraft): void {
  draft.end(textAt(end, "finishReason", "unified") || "other");
  const input = property(end, "usage", "inputTokens");
  const count = (name: string) => property(input, name);
  const output = property(end, "usage", "outputTokens", "total");
  draft.count(count("total"), output, count("cacheRead"), count("cacheWrite"));
}

/** What a model of the AI SDK threw, by its shape: copies of its classes differ, the fields do not. */
function thrownError(thrown: unknown, secrets: readonly string[], clock: () => number): ModelError {
  const url = textAt(thrown, "url");
  const status = property(thrown, "statusCode");
  const message = textAt(thrown, "message") || (typeof thrown === "string" ? thrown : "no reason");
  if (typeof status === "number" && status >= 300) {
    const body = textAt(thrown, "responseBody") || message;
    const header = (called: string) => textAt(thrown, "responseHeaders", called);
    return statusError(status, header, body, { url, secrets, clock });
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
