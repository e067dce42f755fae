import { defined, type OptionKinds } from "@skillwright/core/internal";
import { DONE, readBody, readEvents, readStartOfBody, readWholeBody } from "../http/body.ts";
import { type BaseUrlOptions, requireBaseUrl } from "../http/endpoint.ts";
import {
  answerError,
  type Endpoint,
  networkError,
  statusError,
  unreadableAnswer,
} from "../http/errors.ts";
import { encodeJson, parseJson } from "../http/json.ts";
import type { Model, ModelError, ModelProtocol, ModelRequest, Sampling } from "../model.ts";
import { PROVIDERS } from "../providers.ts";
import { type AnswerDraft, modelWith } from "./answer.ts";
import { type Settings, settingsOf } from "./settings.ts";

/** What the models over HTTP have in common. */
export interface HttpModelOptions extends BaseUrlOptions {
  readonly model: string;
  readonly apiKey?: string;
  /** How many tokens a request and its answer may have together. */
  readonly contextTokens: number;
  /** `maxOutputTokens` defaults to the model's own limit, or 16,384 for unknown models. */
  readonly sampling?: Sampling;
  /** Default true. */
  readonly acceptsImages?: boolean;
  readonly fetch?: typeof globalThis.fetch;
  /** Default true. If false, the answer comes in one piece, and long ones may time out. */
  readonly stream?: boolean;
  /** Milliseconds; default `Date.now`. */
  readonly clock?: () => number;
  /** The first part of the model's id. */
  readonly provider?: string;
  /** Named in hints. */
  readonly keyVariable?: string;
  readonly unreachableHint?: string;
}

/** Of all models over HTTP. */
export const HTTP_OPTIONS: OptionKinds<HttpModelOptions> = {
  model: "string",
  apiKey: "string",
  contextTokens: "number",
  sampling: "object",
  acceptsImages: "boolean",
  fetch: "function",
  stream: "boolean",
  clock: "function",
  provider: "string",
  keyVariable: "string",
  unreachableHint: "string",
  allowPlainHttp: "boolean",
};

/** What differs between the services behind one HTTP request. */
interface Dialect {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly ask: (
    request: ModelRequest,
    draft: AnswerDraft,
    send: Send,
  ) => Promise<ModelError | undefined>;
}

/** Sends a body; `read` takes the answer, or each piece of it, into the draft. */
type Send = (body: object, read: (piece: unknown) => void) => Promise<ModelError | undefined>;

interface GivenOptions extends HttpModelOptions {
  readonly baseUrl?: string;
  readonly protocol?: ModelProtocol;
}

/**
 * A model over HTTP. Throws a `TypeError` for a base URL or sampling parameters that cannot be used, and
 * what `dialectOf` throws for parameters that the service does not have.
 */
export function httpModel(
  given: GivenOptions,
  /** Whose base URL and key variable are the defaults. */
  defaultProvider: string,
  dialectOf: (settings: Settings, base: URL) => Dialect,
): Model {
  const { baseUrl = "", keyVariable } = PROVIDERS[defaultProvider] ?? {};
  const options = { ...defined({ keyVariable }), baseUrl, provider: defaultProvider, ...given };
  const { apiKey, clock = Date.now } = options;
  const settings = settingsOf(options);
  const dialect = dialectOf(settings, requireBaseUrl(options.baseUrl, options));
  const endpoint: Endpoint = {
    ...options,
    url: dialect.url,
    secrets: apiKey === undefined ? [] : [apiKey],
    clock,
  };
  const headers = defined({
    "content-type": "application/json",
    accept: "text/event-stream, application/json",
    ...dialect.headers,
  });

  async function post(
    body: object,
    read: (piece: unknown) => void,
    draft: AnswerDraft,
    signal: AbortSignal | undefined,
  ): Promise<ModelError | undefined> {
    const { fetch = globalThis.fetch } = options;
    draft.usage = { ...draft.usage, calls: draft.usage.calls + 1 };
    let stage: "connecting" | "reading" = "connecting";
    try {
      const response = await fetch(dialect.url, {
        method: "POST",
        headers,
        body: encodeJson(body),
        redirect: "manual",
        // fetch never stops listening to its signal, and that of a run lives long.
        ...(signal && { signal: AbortSignal.any([signal]) }),
      });
      if (!response.ok) {
        const text = await readStartOfBody(response.body);
        const header = (name: string) => response.headers.get(name) ?? "";
        // A filtered redirect has status 0.
        return statusError(response.status || 302, header, text, endpoint);
      }
      stage = "reading";
      return await readAnswer(response, endpoint, draft, read);
    } catch (thrown) {
      // The answer may have been complete before the connection broke.
      const isComplete = stage === "reading" && draft.isComplete;
      return isComplete ? undefined : networkError(thrown, endpoint, stage);
    }
  }

  return modelWith(
    settings,
    async (request, draft, signal) => {
      // A key with a space or a line break cannot be sent, and the error that fetch throws shows it.
      if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey)) {
        const message = "the API key contains invalid characters";
        const hint = `Check ${options.keyVariable ?? "where it comes from"} for spaces, quotes and line breaks.`;
        return { code: "unauthorized", message, retryable: false, hint };
      }
      return dialect.ask(request, draft, (body, read) => post(body, read, draft, signal));
    },
    clock,
  );
}

async function readAnswer(
  response: Response,
  endpoint: Endpoint,
  draft: AnswerDraft,
  read: (piece: unknown) => void,
): Promise<ModelError | undefined> {
  const type = response.headers.get("content-type") ?? "";
  const isStream = /^text\/event-stream/i.test(type);
  const whole = isStream ? "" : await readWholeBody(response.body);
  // Some servers stream under another type.
  const hasEvents = isStream || /^\s*(?:data|event|id|retry)?:/.test(whole);
  const events = hasEvents ? readEvents(isStream ? readBody(response.body) : [whole]) : [whole];
  for await (const data of events) {
    if (data.trim() === DONE) {
      draft.isComplete = true;
      return undefined;
    }
    const piece = parseJson(data);
    if (piece === undefined) return unreadableAnswer(endpoint, data, type);
    const error = answerError(piece, endpoint);
    if (error !== undefined) return error;
    read(piece);
  }
  if (draft.isComplete) return undefined;
  return hasEvents
    ? networkError(undefined, endpoint, "reading")
    : unreadableAnswer(endpoint, whole, type);
}
