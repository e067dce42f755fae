import {
  type AssistantTurn,
  type CallResult,
  pairCalls,
  plainTurns,
  resultText,
  type Turn,
} from "../conversation/turns.ts";
import { decisionSchema, systemForText } from "../conversation/written-decision.ts";
import { property, textOf } from "../http/json.ts";
import type { ModelImage, ModelProtocol, ModelRequest, Sampling } from "../model.ts";

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
export function callOptions(request: ModelRequest, settings: CallSettings): AiSdkCall {
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
