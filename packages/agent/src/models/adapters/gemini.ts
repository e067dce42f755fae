import { type AnswerDraft, answerWith } from "./answer.ts";
import {
  type AssistantTurn,
  joinRoles,
  pairCalls,
  type PairedCall,
  plainTurns,
  type Turn,
} from "./turns.ts";
import { askEndpoint } from "../http/ask-endpoint.ts";
import {
  endpointUrl,
  type HttpModelOptions,
  modelEndpoint,
  requireBaseUrl,
} from "../http/endpoint.ts";
import { countOf, isRecord, listOf, property, textOf } from "../http/json.ts";
import type { ActionDefinition, Model, ModelImage, ModelRequest, Sampling } from "../model.ts";
import { describeModel, thinkingBudget } from "./sampling.ts";

export interface GeminiOptions extends HttpModelOptions {
  /** Up to and with the version, such as `/v1beta`. Default: the service itself. */
  readonly baseUrl?: string;
}

const BASE_URL = "https://generativelanguage.googleapis.com/v1beta";

/**
 * Gemini by `generateContent`. Throws a `TypeError` for a base URL or sampling parameters that cannot
 * be used.
 */
export function gemini(options: GeminiOptions): Model {
  const { model, apiKey, clock, provider = "gemini", stream = true } = options;
  const base = requireBaseUrl(options.baseUrl ?? BASE_URL, options);
  const method = stream ? "streamGenerateContent" : "generateContent";
  const url = new URL(endpointUrl(base, `models/${encodeURIComponent(model)}:${method}`));
  if (stream) url.searchParams.set("alt", "sse");
  const named = { keyVariable: "GEMINI_API_KEY", ...options };
  const endpoint = modelEndpoint(url.href, named, {
    accept: "text/event-stream, application/json",
    ...(apiKey !== undefined && { "x-goog-api-key": apiKey }),
  });
  const described = describeModel({ ...options, provider, protocol: "tools" });
  const { sampling = {}, maxOutputTokens, acceptsImages } = described;
  const thinking = thinkingConfig(model, sampling.reasoningEffort);

  function requestBody(request: ModelRequest): Record<string, unknown> {
    const { system, actions, messages } = request;
    const turns = pairCalls(messages, { provider, acceptsImages });
    const hasTools = actions.length > 0;
    return {
      ...(system.trim() !== "" && { systemInstruction: { parts: [{ text: system }] } }),
      contents: joinRoles(hasTools ? turns.flatMap(toolContents) : plainContents(turns)).map(
        ({ role, content }) => ({ role, parts: content }),
      ),
      ...(hasTools && {
        tools: [{ functionDeclarations: actions.map(functionDeclaration) }],
        toolConfig: { functionCallingConfig: { mode: "AUTO" } },
      }),
      generationConfig: {
        maxOutputTokens: Math.min(request.maxOutputTokens, maxOutputTokens),
        ...generationFields(sampling),
        ...thinking,
      },
    };
  }

  return {
    ...described,
    decide: (request, context = {}) =>
      answerWith(request, context, {
        provider,
        clock,
        ask: (wired, draft) => {
          const body = requestBody(wired);
          const read = (piece: unknown) => readPiece(piece, draft);
          return askEndpoint({ endpoint, body, draft, read, context, options: named });
        },
      }),
  };
}

function generationFields({ temperature, topP, seed }: Sampling) {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(seed !== undefined && { seed }),
  };
}

/** Models up to 2.5 take a number of tokens, later ones a level. */
function thinkingConfig(model: string, effort: string | undefined) {
  if (effort === undefined) return {};
  const takesBudget = /^gemini-[12]\b/.test(model);
  return {
    thinkingConfig: takesBudget
      ? { thinkingBudget: thinkingBudget(effort) }
      : { thinkingLevel: effort === "none" ? "minimal" : effort },
  };
}

function functionDeclaration({ name, description, inputSchema }: ActionDefinition) {
  const { $schema: _, ...parametersJsonSchema } = inputSchema;
  return { name, description, parametersJsonSchema };
}

interface Content {
  readonly role: "user" | "model";
  readonly content: readonly object[];
}

function plainContents(turns: readonly Turn[]): Content[] {
  return plainTurns(turns).map((turn) =>
    turn.role === "assistant"
      ? { role: "model", content: [{ text: turn.content }] }
      : { role: "user", content: [{ text: turn.content }, ...turn.images.map(imagePart)] },
  );
}

function toolContents(turn: Turn): Content[] {
  if (turn.role === "user") return plainContents([turn]);
  const { content, calls } = turn;
  const signatures = signaturesOf(turn);
  const texts =
    content.trim() === "" ? [] : [{ text: content, ...signed(signatures.get(undefined)) }];
  const callParts = calls.map(({ name, input, ...call }, index) => ({
    functionCall: { ...idOf(call), name, args: input },
    ...signed(signatures.get(index)),
  }));
  const model: Content = { role: "model", content: [...texts, ...callParts] };
  if (calls.length === 0) return [model];
  const images = calls.flatMap(({ result }) => result.images);
  return [model, { role: "user", content: [...calls.map(responsePart), ...images.map(imagePart)] }];
}

function responsePart({ name, result, ...call }: PairedCall) {
  const response = { [result.isError ? "error" : "output"]: result.content };
  return { functionResponse: { ...idOf(call), name, response } };
}

/** Only ids of the service are sent back. Those that were made up here mean nothing to it. */
function idOf({ id }: Pick<PairedCall, "id">) {
  return /^call_\d+_\d+$/.test(id) ? {} : { id };
}

function imagePart({ mediaType, data }: ModelImage) {
  return { inlineData: { mimeType: mediaType, data } };
}

/** A signature belongs to the part that it came with: a call by its place, or the text. */
function signaturesOf({ reasoning }: AssistantTurn): ReadonlyMap<unknown, string> {
  return new Map(
    reasoning.map((data) => [
      property(data, "call"),
      textOf(property(data, "thoughtSignature")) ?? "",
    ]),
  );
}

function signed(signature: string | undefined) {
  return signature === undefined || signature === "" ? {} : { thoughtSignature: signature };
}

/** Takes a piece of a stream, or a whole answer, into the draft. */
function readPiece(piece: unknown, draft: AnswerDraft): void {
  readUsage(property(piece, "usageMetadata"), draft);
  if (typeof property(property(piece, "promptFeedback"), "blockReason") === "string") {
    draft.finish = "refused";
    draft.isComplete = true;
  }
  const [candidate] = listOf(property(piece, "candidates"));
  for (const part of listOf(property(property(candidate, "content"), "parts"))) {
    readPart(part, draft);
  }
  const reason = textOf(property(candidate, "finishReason"));
  if (reason === undefined || reason === "FINISH_REASON_UNSPECIFIED") return;
  draft.finish = FINISHES.get(reason) ?? "other";
  draft.isComplete = true;
}

function readPart(part: unknown, draft: AnswerDraft): void {
  const called = property(part, "functionCall");
  const thoughtSignature = textOf(property(part, "thoughtSignature"));
  if (isRecord(called)) {
    const id = textOf(property(called, "id")) || undefined;
    const call = draft.addCall(id, textOf(property(called, "name")) ?? "");
    draft.addInput(call, property(called, "args"));
  } else if (property(part, "thought") === true) return;
  else draft.addText(textOf(property(part, "text")) ?? "");
  if (thoughtSignature === undefined || thoughtSignature === "") return;
  const place = isRecord(called) ? { call: draft.calls.length - 1 } : {};
  draft.reasoning.push({ ...place, thoughtSignature });
}

const FINISHES = new Map([
  ["STOP", "stop"],
  ["MAX_TOKENS", "length"],
  ["SAFETY", "refused"],
  ["RECITATION", "refused"],
  ["BLOCKLIST", "refused"],
  ["PROHIBITED_CONTENT", "refused"],
  ["SPII", "refused"],
] as const) as ReadonlyMap<string, NonNullable<AnswerDraft["finish"]>>;

/** Every piece has the counts so far. Thoughts are paid for as output. */
function readUsage(usage: unknown, draft: AnswerDraft): void {
  if (!isRecord(usage)) return;
  draft.usage = {
    inputTokens: countOf(usage["promptTokenCount"]) + countOf(usage["toolUsePromptTokenCount"]),
    outputTokens: countOf(usage["candidatesTokenCount"]) + countOf(usage["thoughtsTokenCount"]),
    cacheReadTokens: countOf(usage["cachedContentTokenCount"]),
    cacheWriteTokens: 0,
    calls: draft.usage.calls,
  };
}
