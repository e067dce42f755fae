import { AnswerDraft } from "../answer/answer-draft.ts";
import { wireNames } from "../conversation/turns.ts";
import { askEndpoint } from "../http/ask-endpoint.ts";
import {
  endpointUrl,
  type HttpModelOptions,
  modelEndpoint,
  requireBaseUrl,
} from "../http/endpoint.ts";
import type { Model, ModelContext, ModelRequest, ModelResponse } from "../model.ts";
import { addUsage, NO_USAGE } from "../usage.ts";
import { createEventReader } from "./read-event.ts";
import { requestBody } from "./request-body.ts";

export interface AnthropicOptions extends HttpModelOptions {
  /** Up to and with `/v1`. Default: the service itself. */
  readonly baseUrl?: string;
  /** Required: the service wants a limit with every request, and it differs by model. */
  readonly maxOutputTokens: number;
}

const BASE_URL = "https://api.anthropic.com/v1";
const VERSION = "2023-06-01";

/** Claude by the Messages interface. Throws a `TypeError` for a base URL that must not be. */
export function anthropic(options: AnthropicOptions): Model {
  const { model, apiKey, clock = Date.now, provider = "anthropic" } = options;
  const base = requireBaseUrl(options.baseUrl ?? BASE_URL, options);
  const named = { keyVariable: "ANTHROPIC_API_KEY", ...options };
  const endpoint = modelEndpoint(endpointUrl(base, "messages"), named, {
    accept: "text/event-stream, application/json",
    "anthropic-version": VERSION,
    ...(apiKey !== undefined && { "x-api-key": apiKey }),
  });
  let forcesTools = true;

  async function decide(request: ModelRequest, context: ModelContext = {}): Promise<ModelResponse> {
    const start = clock();
    const { wired, restore } = wireNames(request);
    let usage = NO_USAGE;
    for (;;) {
      const isForced = forcesTools;
      const draft = new AnswerDraft(context.onText);
      const body = requestBody(wired, {
        model,
        maxOutputTokens: options.maxOutputTokens,
        stream: options.stream ?? true,
        forcesTools: isForced,
      });
      const read = createEventReader(draft);
      const error = await askEndpoint({ endpoint, body, draft, read, context, options: named });
      usage = addUsage(usage, draft.usage);
      const latencyMs = Math.max(0, clock() - start);
      if (error === undefined) {
        const calls = draft.modelCalls(`call_${request.messages.length}_`).map(restore);
        const message = { text: draft.text, calls };
        return { ok: true, message, finish: draft.finishOf(calls), usage, latencyMs };
      }
      const isRefused = isForced && error.status === 400 && /tool_choice/.test(error.message);
      if (!isRefused) return { ok: false, error, usage, latencyMs };
      forcesTools = false;
    }
  }

  return {
    id: `${provider}:${model}`,
    protocol: "tools",
    contextTokens: options.contextTokens,
    decide,
  };
}
