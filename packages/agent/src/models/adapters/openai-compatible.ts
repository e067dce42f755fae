import { endpointUrl, type HttpModelOptions } from "../http/endpoint.ts";
import { property } from "../http/json.ts";
import type { ActionDefinition, Model, ModelError, ModelRequest } from "../model.ts";
import type { AnswerDraft } from "./answer.ts";
import { chatBody, createChunkReader, type Features } from "./chat-completions.ts";
import { httpModel } from "./http-model.ts";
import { writtenDecision } from "./written-decision.ts";

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
  const names = [...request.actions.map(({ name }) => name), FINAL_ANSWER.name];
  const written = request.actions.length === 0 ? undefined : writtenDecision(text, names);
  if (written === undefined) return draft.addText(text);
  const answer = property(written.input, "answer");
  const isAnswer = written.name === FINAL_ANSWER.name && !hasFinalAnswer(request);
  if (isAnswer && typeof answer === "string") return draft.addText(answer);
  draft.addInput(draft.addCall("", written.name), written.input);
}

/** When an endpoint that was asked with these features refuses in these words, others take their place. */
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
