import { CANCELED } from "../models/canceled.ts";
import type {
  Model,
  ModelContext,
  ModelError,
  ModelRequest,
  ModelResponse,
} from "../models/model.ts";
import { NO_USAGE } from "../models/usage.ts";

export interface AskOptions extends ModelContext {
  readonly signal: AbortSignal;
}

/** What a model that was canceled gets to say how much it used. */
const GRACE_MS = 1000;

/** Asks a model that may not keep its contract: whatever it does, there is an answer, and in time. */
export async function askModel(
  model: Pick<Model, "decide">,
  request: ModelRequest,
  options: AskOptions,
): Promise<ModelResponse> {
  const late = lateCancel(options.signal);
  try {
    const response = await Promise.race([model.decide(request, options), late.response]);
    return isReadable(response) ? response : failed(UNREADABLE);
  } catch (error) {
    const message = error instanceof Error ? error.message : "the model failed";
    return failed({ code: "provider-failed", message, retryable: false });
  } finally {
    late.forget();
  }
}

const UNREADABLE: ModelError = {
  code: "unreadable-answer",
  message: "the model gave something that is no answer",
  retryable: false,
};

/** A response that comes some time after the signal, unless it is forgotten before. */
function lateCancel(signal: AbortSignal) {
  let timer: NodeJS.Timeout | undefined;
  let wait = () => {};
  const response = new Promise<ModelResponse>((resolve) => {
    wait = () => (timer = setTimeout(() => resolve(failed(CANCELED)), GRACE_MS));
  });
  if (signal.aborted) wait();
  else signal.addEventListener("abort", wait);
  const forget = () => {
    signal.removeEventListener("abort", wait);
    clearTimeout(timer);
  };
  return { response, forget };
}

function failed(error: ModelError): ModelResponse {
  return { ok: false, error, usage: NO_USAGE, latencyMs: 0 };
}

/** Throws for what JSON cannot hold, since no record can. */
function isReadable(response: ModelResponse): boolean {
  const { ok, usage } = response;
  if (typeof usage !== "object") return false;
  if (!ok) return typeof response.error.message === "string";
  const { text, calls } = response.message;
  return (
    typeof text === "string" &&
    Array.isArray(calls) &&
    JSON.stringify(calls) !== undefined &&
    calls.every(({ id, name }) => typeof id === "string" && typeof name === "string")
  );
}
