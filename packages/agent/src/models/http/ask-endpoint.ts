import { createParser } from "eventsource-parser";
import type { AnswerDraft } from "../adapters/answer.ts";
import { CANCELED } from "../usage.ts";
import type { ModelContext, ModelError } from "../model.ts";
import { type Endpoint, type HttpModelOptions, keyProblem } from "./endpoint.ts";
import { answerError, hostOf, looksLikePage, networkError, statusError } from "./errors.ts";
import { encodeJson, parseJson, readBody, readStartOfBody, UnreadableBodyError } from "./json.ts";

interface AskOptions {
  readonly endpoint: Endpoint;
  readonly body: unknown;
  readonly draft: AnswerDraft;
  /** Takes an answer, or a piece of one, into the draft. */
  readonly read: (piece: unknown) => void;
  readonly context: ModelContext;
  readonly options: HttpModelOptions;
}

const MAX_ERROR_LENGTH = 64 * 1024;

/** Asks and fills the draft. Gives what went wrong; does not throw for anything the service does. */
export async function askEndpoint(asked: AskOptions): Promise<ModelError | undefined> {
  const { context, draft, options } = asked;
  const { signal } = context;
  const problem = signal?.aborted === true ? CANCELED : keyProblem(options);
  if (problem !== undefined) return problem;
  draft.usage = { ...draft.usage, calls: draft.usage.calls + 1 };
  // A signal of its own: fetch keeps listening to the one it gets, and that of a run lives long.
  const request = new AbortController();
  const abort = () => request.abort();
  signal?.addEventListener("abort", abort, { once: true });
  try {
    const error = await ask(asked, request.signal);
    return error !== undefined && request.signal.aborted ? CANCELED : error;
  } finally {
    signal?.removeEventListener("abort", abort);
  }
}

async function ask(asked: AskOptions, signal: AbortSignal): Promise<ModelError | undefined> {
  const { endpoint, draft, options } = asked;
  const { fetch = globalThis.fetch, clock = Date.now } = options;
  let response: Response;
  try {
    response = await fetch(endpoint.url, {
      method: "POST",
      headers: { ...endpoint.headers, "content-type": "application/json" },
      body: encodeJson(asked.body),
      redirect: "manual",
      signal,
    });
  } catch (thrown) {
    return networkError(thrown, endpoint, "connecting");
  }
  if (!response.ok) {
    const text = await readStartOfBody(response.body, MAX_ERROR_LENGTH);
    // A filtered redirection has status 0.
    const status = response.status === 0 ? 302 : response.status;
    return statusError(status, response.headers, text, { endpoint, now: clock() });
  }
  try {
    return await readAnswer(response, asked);
  } catch (thrown) {
    // All may have been said before the connection broke.
    return draft.isComplete ? undefined : networkError(thrown, endpoint, "reading");
  }
}

async function readAnswer(response: Response, asked: AskOptions): Promise<ModelError | undefined> {
  const type = response.headers.get("content-type") ?? "";
  const parts = readBody(response.body);
  if (/^text\/event-stream/i.test(type)) return readEvents(parts, asked);
  const texts: string[] = [];
  for await (const part of parts) texts.push(part);
  const text = texts.join("");
  // Some servers stream under another type.
  if (/^\s*(?:data|event|id|retry)?:/.test(text)) return readEvents([text], asked);
  const answer = parseJson(text);
  const error = answer === undefined ? undefined : readPiece(answer, asked);
  return error ?? (asked.draft.isComplete ? undefined : unreadable(asked, text, type));
}

async function readEvents(
  parts: AsyncIterable<string> | Iterable<string>,
  asked: AskOptions,
): Promise<ModelError | undefined> {
  const reader = new EventStreamReader();
  for await (const part of parts) {
    const end = takeEvents(reader.push(part), asked);
    if (end !== undefined) return end === DONE ? undefined : end;
  }
  // Half of an event at the end means that the rest is missing, not that it is wrong.
  const whole = reader
    .end()
    .filter((data) => data.trim() === DONE || parseJson(data) !== undefined);
  const end = takeEvents(whole, asked);
  if (end !== undefined) return end === DONE ? undefined : end;
  if (asked.draft.isComplete) return undefined;
  const message = `the response from ${hostOf(asked.endpoint.url)} was cut off`;
  return { code: "provider-failed", message, retryable: true };
}

const DONE = "[DONE]";

function takeEvents(
  events: readonly string[],
  asked: AskOptions,
): ModelError | typeof DONE | undefined {
  for (const data of events) {
    if (data.trim() === DONE) {
      asked.draft.isComplete = true;
      return DONE;
    }
    const piece = parseJson(data);
    if (piece === undefined) {
      const message = `${hostOf(asked.endpoint.url)} sent an event that is not JSON`;
      return { code: "unreadable-answer", message, retryable: true };
    }
    const error = readPiece(piece, asked);
    if (error !== undefined) return error;
  }
  return undefined;
}

function readPiece(
  piece: unknown,
  { endpoint, read, options }: AskOptions,
): ModelError | undefined {
  const error = answerError(piece, endpoint, (options.clock ?? Date.now)());
  if (error === undefined) read(piece);
  return error;
}

function unreadable({ endpoint }: AskOptions, text: string, type: string): ModelError {
  const isPage = looksLikePage(text) || /^text\/html/i.test(type);
  const host = hostOf(endpoint.url);
  return {
    code: "unreadable-answer",
    message: isPage ? `${host} sent a web page` : `${host} sent a response that cannot be read`,
    // Half of an answer may be whole the next time; a page will be a page again.
    retryable: !isPage,
    ...(isPage && {
      hint: "Check the base URL; a proxy or a login page may have answered instead.",
    }),
  };
}

/** In UTF-16 units. No event of a model is longer; the body as a whole has a limit as well. */
const MAX_EVENT_LENGTH = 4 * 1024 * 1024;
/** Lines with a field that no event has. The parser makes an error of each, which takes its time. */
const MAX_UNKNOWN_LINES = 1000;

/** Reads a `text/event-stream` that comes in pieces. Gives the data of each event. */
class EventStreamReader {
  readonly #parser = createParser({
    maxBufferSize: MAX_EVENT_LENGTH,
    onEvent: ({ data }) => {
      if (data.length > MAX_EVENT_LENGTH) throw new UnreadableBodyError("has too long an event");
      this.#events.push(data);
    },
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") {
        throw new UnreadableBodyError("has too long an event");
      }
      if (++this.#unknownLines > MAX_UNKNOWN_LINES) {
        throw new UnreadableBodyError("is not an event stream");
      }
    },
  });
  #events: string[] = [];
  #unknownLines = 0;
  #endedInReturn = false;

  /** Throws `UnreadableBodyError` for what is too long or not a stream of events. */
  push(text: string): readonly string[] {
    if (text === "") return [];
    const rest = this.#endedInReturn && text.startsWith("\n") ? text.slice(1) : text;
    this.#endedInReturn = rest.endsWith("\r");
    // With both kinds of line ends in one piece the parser would take quadratic time.
    return this.#feed(rest.replaceAll(/\r\n?/g, "\n"));
  }

  /** What is left at the end: not every server ends its last event with an empty line. */
  end(): readonly string[] {
    return this.#feed("\n\n");
  }

  #feed(text: string): readonly string[] {
    this.#parser.feed(text);
    const events = this.#events;
    this.#events = [];
    return events;
  }
}
