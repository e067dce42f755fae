import { type AnswerDraft, answerWith } from "../answer/answer-draft.ts";
import { resemblesDecision, writtenDecision } from "../conversation/written-decision.ts";
import { askEndpoint } from "../http/ask-endpoint.ts";
import {
  endpointUrl,
  type HttpModelOptions,
  modelEndpoint,
  requireBaseUrl,
} from "../http/endpoint.ts";
import { textOf } from "../http/json.ts";
import type { ActionDefinition, Model, ModelContext, ModelError, ModelRequest } from "../model.ts";
import { describeModel } from "../sampling.ts";
import { chatBody, createChunkReader, type Features } from "./chat-completions.ts";

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
  const { model, apiKey, clock, structured = "auto", provider = "openai-compatible" } = options;
  const url = endpointUrl(requireBaseUrl(options.baseUrl, options), "chat/completions");
  const endpoint = modelEndpoint(url, options, {
    accept: "text/event-stream, application/json",
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  });
  const isAuto = structured === "auto";
  const protocol = isAuto || structured === "tools" ? "tools" : "json";
  const described = describeModel({ ...options, provider, protocol });
  // What the endpoint refused once is not tried again.
  let features: Features = {
    decisions: isAuto ? "tools" : structured,
    toolChoice: true,
    streamOptions: true,
    tokenLimit: /^(?:o\d|gpt-[5-9])/.test(model) ? "max_completion_tokens" : "max_tokens",
    images: described.acceptsImages,
    reasoning: true,
  };

  async function ask(
    request: ModelRequest,
    draft: AnswerDraft,
    context: ModelContext,
  ): Promise<ModelError | undefined> {
    for (;;) {
      const asked = features;
      const isReplaced = isAuto && asked.decisions !== "tools";
      const answerable = isReplaced ? withFinalAnswer(request) : request;
      draft.isSilent = isReplaced;
      const body = chatBody(answerable, {
        model,
        provider,
        maxOutputTokens: described.maxOutputTokens,
        sampling: described.sampling ?? {},
        stream: options.stream ?? true,
        features: asked,
      });
      const read = createChunkReader(draft);
      const error = await askEndpoint({ endpoint, body, draft, read, context, options });
      if (error === undefined) {
        if (isReplaced) readDecision(draft, request);
        return undefined;
      }
      // Another request may have found out the same, or something else, in the meantime.
      const next = withoutRefused(features, error, isAuto);
      const isLearned =
        next !== undefined ||
        (features !== asked && withoutRefused(asked, error, isAuto) !== undefined);
      if (!isLearned || draft.text !== "" || draft.calls.length > 0) return error;
      features = next ?? features;
    }
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
  const text = draft.takeText();
  draft.isSilent = false;
  const names = [...request.actions.map(({ name }) => name), FINAL_ANSWER.name];
  const written = request.actions.length === 0 ? undefined : writtenDecision(text, names);
  const isCut = draft.finish === "length" || draft.finish === "refused";
  if (written === undefined) {
    // JSON with prose around it is no answer: the loop rejects this call, and the model tries again.
    const isAnswer = isCut || request.actions.length === 0 || !resemblesDecision(text);
    if (isAnswer) return draft.addText(text);
    return draft.addInput(draft.addCall(undefined, FINAL_ANSWER.name), [text]);
  }
  const answer = textOf((written.input as { readonly answer?: unknown }).answer);
  const isAnswer = written.name === FINAL_ANSWER.name && !hasFinalAnswer(request);
  if (isAnswer && answer !== undefined) return draft.addText(answer);
  draft.addInput(draft.addCall(undefined, written.name), written.input);
}

/**
 * The features without the one that the endpoint refused; undefined when it refused something else.
 * Each step takes one away, so that there are few.
 */
function withoutRefused(
  features: Features,
  error: ModelError,
  mayStepDown: boolean,
): Features | undefined {
  if (![400, 404, 415, 422, 501].includes(error.status ?? 0)) return undefined;
  // Only what the endpoint said, not our words with its name.
  const said = error.message.slice(error.message.indexOf(": ") + 2);
  if (features.streamOptions && /stream_options|include_usage/i.test(said)) {
    return { ...features, streamOptions: false };
  }
  if (features.tokenLimit === "max_tokens" && /max_completion_tokens/i.test(said)) {
    return { ...features, tokenLimit: "max_completion_tokens" };
  }
  if (features.reasoning && /\breasoning(?:_content|_details)?\b/i.test(said)) {
    return { ...features, reasoning: false };
  }
  if (features.images && /\bimage|\bvision\b|multi.?modal/i.test(said)) {
    return { ...features, images: false };
  }
  if (features.decisions === "tools" && features.toolChoice && /tool.?choice/i.test(said)) {
    return { ...features, toolChoice: false };
  }
  const next = mayStepDown ? STEPS[features.decisions] : undefined;
  return next?.refusal.test(said) === true ? { ...features, decisions: next.decisions } : undefined;
}

interface Step {
  readonly refusal: RegExp;
  readonly decisions: Features["decisions"];
}

const STEPS: Readonly<Record<Features["decisions"], Step | undefined>> = {
  tools: { refusal: /\btool|function.?call|functions\b/i, decisions: "json_schema" },
  json_schema: {
    refusal: /response_format|json_?schema|structured|grammar|guided/i,
    decisions: "json_object",
  },
  json_object: { refusal: /response_format|json/i, decisions: "text" },
  text: undefined,
};
