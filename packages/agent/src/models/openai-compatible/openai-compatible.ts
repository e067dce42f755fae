import { AnswerDraft } from "../answer/answer-draft.ts";
import { wireNames } from "../conversation/turns.ts";
import { writtenDecision } from "../conversation/written-decision.ts";
import { askEndpoint } from "../http/ask-endpoint.ts";
import {
  type Endpoint,
  endpointUrl,
  type HttpModelOptions,
  modelEndpoint,
  requireBaseUrl,
} from "../http/endpoint.ts";
import type {
  Model,
  ModelCall,
  ModelContext,
  ModelError,
  ModelRequest,
  ModelResponse,
} from "../model.ts";
import { addUsage, NO_USAGE } from "../usage.ts";
import { type Features, withoutRefused } from "./features.ts";
import { readChunk } from "./read-chunk.ts";
import { requestBody } from "./request-body.ts";

export interface OpenAiCompatibleOptions extends HttpModelOptions {
  /** Up to and with `/v1`, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /**
   * How the model gives its decisions. `auto` asks for tool calls and, where the endpoint refuses
   * them, reads decisions from JSON and passes them on as calls. Default `auto`.
   */
  readonly structured?: "tools" | "json_schema" | "json_object" | "auto";
}

interface Attempt {
  readonly draft: AnswerDraft;
  readonly error: ModelError | undefined;
}

/** Any endpoint that speaks chat completions. Throws a `TypeError` for a base URL that must not be. */
export function openAiCompatible(options: OpenAiCompatibleOptions): Model {
  const { model, structured = "auto", clock = Date.now, provider = "openai-compatible" } = options;
  const endpoint = endpointOf(options);
  const isAuto = structured === "auto";
  // What the endpoint refused once is not tried again.
  let features: Features = {
    decisions: isAuto ? "tools" : structured,
    toolChoice: true,
    parallelToolCalls: true,
    streamOptions: true,
    tokenLimit: "max_tokens",
  };

  async function attempt(
    request: ModelRequest,
    context: ModelContext,
    features: Features,
  ): Promise<Attempt> {
    const isReplaced = isAuto && features.decisions !== "tools";
    const draft = new AnswerDraft(isReplaced ? undefined : context.onText);
    const body = requestBody(request, {
      model,
      maxOutputTokens: options.maxOutputTokens ?? request.maxOutputTokens,
      stream: options.stream ?? true,
      features,
    });
    const read = (piece: unknown) => readChunk(piece, draft);
    const error = await askEndpoint({ endpoint, body, draft, read, context, options });
    return { draft, error };
  }

  async function decide(request: ModelRequest, context: ModelContext = {}): Promise<ModelResponse> {
    const start = clock();
    const { wired, restore } = wireNames(request);
    let usage = NO_USAGE;
    for (;;) {
      const asked = features;
      const { draft, error } = await attempt(wired, context, asked);
      usage = addUsage(usage, draft.usage);
      const latencyMs = Math.max(0, clock() - start);
      if (error === undefined) {
        const isReplaced = isAuto && asked.decisions !== "tools";
        const { text, calls } = answerOf(draft, request, isReplaced);
        const message = { text, calls: calls.map(restore) };
        return { ok: true, message, finish: draft.finishOf(calls), usage, latencyMs };
      }
      // Another request may have found out the same, or something else, in the meantime.
      const next = withoutRefused(features, error, { mayStepDown: isAuto });
      const isLearned =
        next !== undefined ||
        (features !== asked && withoutRefused(asked, error, { mayStepDown: isAuto }) !== undefined);
      if (!isLearned) return { ok: false, error, usage, latencyMs };
      features = next ?? features;
    }
  }

  return {
    id: `${provider}:${model}`,
    protocol: isAuto || structured === "tools" ? "tools" : "json",
    contextTokens: options.contextTokens,
    decide,
  };
}

function answerOf(
  draft: AnswerDraft,
  request: ModelRequest,
  isReplaced: boolean,
): { readonly text: string; readonly calls: readonly ModelCall[] } {
  const { text } = draft;
  // Made of the place in the conversation: unique, and the same when a run is replayed.
  const prefix = `call_${request.messages.length}_`;
  const written = isReplaced ? writtenDecision(text, `${prefix}0`) : undefined;
  if (written !== undefined) return { text: "", calls: [written] };
  return { text, calls: draft.modelCalls(prefix) };
}

function endpointOf(options: OpenAiCompatibleOptions): Endpoint {
  const { apiKey } = options;
  const url = endpointUrl(requireBaseUrl(options.baseUrl, options), "chat/completions");
  return modelEndpoint(url, options, {
    accept: "text/event-stream, application/json",
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  });
}
