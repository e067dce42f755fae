import { defined, checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { endpointUrl } from "../http/endpoint.ts";
import { countOf, isRecord, listAt, property, textAt } from "../http/json.ts";
import type { Model, ModelImage } from "../model.ts";
import type { AnswerDraft } from "./answer.ts";
import { HTTP_OPTIONS, httpModel, type HttpModelOptions } from "./http-model.ts";
import { type Settings, thinkingBudget } from "./settings.ts";
import { type Prompt, promptOf, type Turn } from "./turns.ts";

export interface GeminiOptions extends HttpModelOptions {
  /** Up to and with the version, such as `/v1beta`. Default: the service itself. */
  readonly baseUrl?: string;
}

const OPTIONS: OptionKinds<GeminiOptions> = { ...HTTP_OPTIONS, baseUrl: "string" };

/**
 * Gemini by `generateContent`. Throws a `TypeError` for a base URL or sampling parameters that cannot
 * be used.
 */
export function gemini(options: GeminiOptions): Model {
  checkOptions("gemini", options, OPTIONS, ["model", "contextTokens"]);
  return httpModel(options, "gemini", (settings, base) => {
    thinkingConfig(settings);
    const { model, stream } = settings;
    const method = stream ? "streamGenerateContent" : "generateContent";
    const url = new URL(endpointUrl(base, `models/${encodeURIComponent(model)}:${method}`));
    if (stream) url.searchParams.set("alt", "sse");
    return {
      url: url.href,
      headers: { "x-goog-api-key": options.apiKey },
      ask: (request, draft, send) =>
        send(requestBody(promptOf(request, settings)), (piece) => readPiece(piece, draft)),
    };
  });
}

function requestBody(prompt: Prompt): object {
  const { system, turns, tools, maxTokens, sampling } = prompt;
  const { temperature, topP, seed } = sampling;
  const functionDeclarations = tools.map(({ name, description, inputSchema }) => {
    const { $schema: _, ...parametersJsonSchema } = inputSchema;
    return { name, description, parametersJsonSchema };
  });
  return {
    ...(system !== "" && { systemInstruction: { parts: [{ text: system }] } }),
    contents: turns.map((turn) =>
      turn.role === "user"
        ? { role: "user", parts: userParts(turn) }
        : { role: "model", parts: modelParts(turn) },
    ),
    ...(tools.length > 0 && {
      tools: [{ functionDeclarations }],
      toolConfig: { functionCallingConfig: { mode: "AUTO" } },
    }),
    generationConfig: {
      maxOutputTokens: maxTokens,
      ...defined({ temperature, topP, seed }),
      ...thinkingConfig(prompt),
    },
  };
}

function thinkingConfig({ model, sampling: { reasoningEffort: effort } }: Settings) {
  if (effort === undefined) return {};
  const budget = thinkingBudget(model, effort);
  const thinkingLevel = effort === "none" ? "minimal" : effort;
  return { thinkingConfig: budget === undefined ? { thinkingLevel } : { thinkingBudget: budget } };
}

function userParts({ results, content, images }: Turn): object[] {
  const responses = results.map(({ id, name, isError, content: text }) => ({
    functionResponse: { ...ownId(id), name, response: { [isError ? "error" : "output"]: text } },
  }));
  const shown = results.flatMap((result) => result.images.map(imagePart));
  const texts = content === "" ? [] : [{ text: content }];
  return [...responses, ...shown, ...texts, ...images.map(imagePart)];
}

function modelParts({ content, calls, reasoning }: Turn): object[] {
  /** A signature belongs to the part that it came with: a call by its place, or the text. */
  const signature = (call?: number) => {
    const data = reasoning.findLast((one) => property(one, "call") === call);
    const thoughtSignature = textAt(data, "thoughtSignature");
    return thoughtSignature === "" ? {} : { thoughtSignature };
  };
  const texts = content.trim() === "" ? [] : [{ text: content, ...signature() }];
  const parts = calls.map(({ id, name, input }, index) => ({
    functionCall: { ...ownId(id), name, args: input },
    ...signature(index),
  }));
  return [...texts, ...parts];
}

/** Only ids of the service are sent back; those made up here mean nothing to it. */
function ownId(id: string) {
  return /^call_\d+_\d+$/.test(id) ? {} : { id };
}

function imagePart({ mediaType, data }: ModelImage) {
  return { inlineData: { mimeType: mediaType, data } };
}

/** Takes a piece of a stream, or a whole answer, into the draft. */
function readPiece(piece: unknown, draft: AnswerDraft): void {
  const usage = property(piece, "usageMetadata");
  if (isRecord(usage)) {
    // Every piece has the counts so far. Thoughts are paid for as output.
    draft.count(
      countOf(usage["promptTokenCount"]) + countOf(usage["toolUsePromptTokenCount"]),
      countOf(usage["candidatesTokenCount"]) + countOf(usage["thoughtsTokenCount"]),
      usage["cachedContentTokenCount"],
    );
  }
  if (textAt(piece, "promptFeedback", "blockReason") !== "") draft.end("PROHIBITED_CONTENT");
  const [candidate] = listAt(piece, "candidates");
  for (const part of listAt(candidate, "content", "parts")) readPart(part, draft);
  const reason = textAt(candidate, "finishReason");
  if (reason !== "FINISH_REASON_UNSPECIFIED") draft.end(reason);
}

function readPart(part: unknown, draft: AnswerDraft): void {
  const called = property(part, "functionCall");
  if (isRecord(called)) {
    const call = draft.addCall(textAt(called, "id"), textAt(called, "name"));
    draft.addInput(call, called["args"]);
  } else if (property(part, "thought") === true) return;
  else draft.addText(textAt(part, "text"));
  const thoughtSignature = textAt(part, "thoughtSignature");
  const place = isRecord(called) ? { call: draft.calls.length - 1 } : {};
  if (thoughtSignature !== "") draft.reasoning.push({ ...place, thoughtSignature });
}
