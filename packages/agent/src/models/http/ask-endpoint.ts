import type { AnswerDraft } from "../adapters/answer.ts";
import type { ModelError } from "../model.ts";
import { CANCELED } from "../usage.ts";
import { DONE, readBody, readEvents, readStartOfBody, readWholeBody } from "./body.ts";
import { type Endpoint, keyProblem } from "./endpoint.ts";
import { answerError, hostOf, looksLikePage, networkError, statusError } from "./errors.ts";
import { encodeJson, parseJson } from "./json.ts";

interface Asked {
  readonly body: unknown;
  readonly draft: AnswerDraft;
  /** Takes an answer, or a piece of one, into the draft. */
  readonly read: (piece: unknown) => void;
  readonly signal: AbortSignal | undefined;
}

const MAX_ERROR_LENGTH = 64 * 1024;

/** Fills the draft, or returns what went wrong. Does not throw for anything the service does. */
export async function askEndpoint(
  endpoint: Endpoint,
  asked: Asked,
): Promise<ModelError | undefined> {
  const { draft, signal } = asked;
  const problem = signal?.aborted === true ? CANCELED : keyProblem(endpoint);
  if (problem !== undefined) return problem;
  draft.usage = { ...draft.usage, calls: draft.usage.calls + 1 };
  // fetch never stops listening to its signal, and that of a run lives long.
  const request = new AbortController();
  const abort = () => request.abort();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const error = await send(endpoint, asked, request.signal);
    return error !== undefined && request.signal.aborted ? CANCELED : error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

async function send(
  endpoint: Endpoint,
  asked: Asked,
  signal: AbortSignal,
): Promise<ModelError | undefined> {
  const { url, fetch = globalThis.fetch, clock = Date.now } = endpoint;
  const headers = { ...endpoint.headers, "content-type": "application/json" };
  let response: Response;
  try {
    const body = encodeJson(asked.body);
    response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
  } catch (thrown) {
    return networkError(thrown, endpoint, "connecting");
  }
  if (!response.ok) {
    const text = await readStartOfBody(response.body, MAX_ERROR_LENGTH);
    // A filtered redirect has status 0.
    const status = response.status === 0 ? 302 : response.status;
    return statusError(status, response.headers, text, { endpoint, now: clock() });
  }
  try {
    return await readAnswer(response, endpoint, asked);
  } catch (thrown) {
    // The answer may have been complete before the connection broke.
    return asked.draft.isComplete ? undefined : networkError(thrown, endpoint, "reading");
  }
}

async function readAnswer(
  response: Response,
  endpoint: Endpoint,
  { draft, read }: Asked,
): Promise<ModelError | undefined> {
  const readPiece = (piece: unknown): ModelError | undefined => {
    const error = answerError(piece, endpoint);
    if (error === undefined) read(piece);
    return error;
  };
  const type = response.headers.get("content-type") ?? "";
  const isStream = /^text\/event-stream/i.test(type);
  const text = isStream ? "" : await readWholeBody(response.body);
  // Some servers stream under another type.
  if (!isStream && !/^\s*(?:data|event|id|retry)?:/.test(text)) {
    const answer = parseJson(text);
    const error = answer === undefined ? undefined : readPiece(answer);
    return error ?? (draft.isComplete ? undefined : unreadable(endpoint, text, type));
  }
  for await (const data of readEvents(isStream ? readBody(response.body) : [text])) {
    if (data.trim() === DONE) {
      draft.isComplete = true;
      return undefined;
    }
    const piece = parseJson(data);
    if (piece === undefined) {
      const message = `${hostOf(endpoint.url)} sent an event that is not JSON`;
      return { code: "unreadable-answer", message, retryable: true };
    }
    const error = readPiece(piece);
    if (error !== undefined) return error;
  }
  return draft.isComplete ? undefined : networkError(undefined, endpoint, "reading");
}

function unreadable({ url }: Endpoint, text: string, type: string): ModelError {
  const isPage = looksLikePage(text) || /^text\/html/i.test(type);
  const host = hostOf(url);
  return {
    code: "unreadable-answer",
    message: isPage ? `${host} sent a web page` : `${host} sent a response that cannot be read`,
    // A truncated answer may be complete next time; a page stays a page.
    retryable: !isPage,
    ...(isPage && {
      hint: "Check the base URL; a proxy or a login page may have answered instead.",
    }),
  };
}
