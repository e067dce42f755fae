import { AnswerDraft } from "../answer/answer-draft.ts";
import { CANCELED } from "../canceled.ts";
import { wireNames } from "../conversation/turns.ts";
import { property } from "../http/json.ts";
import type { Model, ModelContext, ModelError, ModelProtocol, ModelRequest } from "../model.ts";
import type { AiSdkCall, AiSdkModel } from "./ai-sdk-model.ts";
import { callOptions } from "./call-options.ts";
import { readEnd, readPart } from "./read-part.ts";
import { thrownError } from "./thrown-error.ts";

export interface FromAiSdkOptions {
  /** How many tokens a request and its answer may have together. */
  readonly contextTokens: number;
  /** Default `tools`. */
  readonly protocol?: ModelProtocol;
  /** Must be in no message: the key that the model was made with, if it is known. */
  readonly secrets?: readonly string[];
  readonly clock?: () => number;
}

/** Any model of the AI SDK. It streams when the text is wanted as it comes and the model can. */
export function fromAiSdk(model: AiSdkModel, options: FromAiSdkOptions): Model {
  const { contextTokens, protocol = "tools", secrets = [], clock = Date.now } = options;
  if (!["v2", "v3", "v4"].includes(model.specificationVersion)) {
    throw new TypeError(`specification ${model.specificationVersion} of the AI SDK is not known`);
  }

  async function ask(
    request: ModelRequest,
    { signal, onText }: ModelContext,
    draft: AnswerDraft,
  ): Promise<ModelError | undefined> {
    if (isAborted(signal)) return CANCELED;
    const call = callOptions(request, protocol, signal);
    draft.usage = { ...draft.usage, calls: 1 };
    const isStreamed = onText !== undefined && model.doStream !== undefined;
    try {
      const isAnswer = await (isStreamed ? readStream : readWhole)(model, call, draft);
      if (!isAnswer) return UNREADABLE;
    } catch (thrown) {
      return isAborted(signal) ? CANCELED : thrownError(thrown, { now: clock(), secrets });
    }
    if (draft.isComplete) return undefined;
    if (isAborted(signal)) return CANCELED;
    return { code: "provider-failed", message: "the answer broke off", retryable: true };
  }

  return {
    id: `${model.provider}:${model.modelId}`,
    protocol,
    contextTokens,
    async decide(request, context = {}) {
      const start = clock();
      const draft = new AnswerDraft(context.onText);
      const { wired, restore } = wireNames(request);
      const error = await ask(wired, context, draft);
      const { usage } = draft;
      const latencyMs = Math.max(0, clock() - start);
      if (error !== undefined) return { ok: false, error, usage, latencyMs };
      const calls = draft.modelCalls(`call_${request.messages.length}_`).map(restore);
      const message = { text: draft.text, calls };
      return { ok: true, message, finish: draft.finishOf(calls), usage, latencyMs };
    },
  };
}

const UNREADABLE: ModelError = {
  code: "unreadable-answer",
  message: "the model gave something that is no answer",
  retryable: true,
};

type ReadAnswer = (model: AiSdkModel, call: AiSdkCall, draft: AnswerDraft) => Promise<boolean>;

/** False for what has no content at all, other than one that is empty. */
const readWhole: ReadAnswer = async (model, call, draft) => {
  const result: unknown = await model.doGenerate(call);
  const content = property(result, "content");
  if (!Array.isArray(content)) return false;
  for (const part of content as readonly unknown[]) readPart(part, draft);
  readEnd(result, draft);
  return true;
};

const readStream: ReadAnswer = async (model, call, draft) => {
  const result = (await model.doStream?.(call)) as { stream?: ReadableStream<object> } | undefined;
  if (result?.stream === undefined) return false;
  for await (const part of result.stream) {
    if (property(part, "type") === "error") throw property(part, "error");
    readPart(part, draft);
  }
  return true;
};

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}
