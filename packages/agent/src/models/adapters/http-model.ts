import { askEndpoint } from "../http/ask-endpoint.ts";
import { type HttpModelOptions, modelEndpoint, requireBaseUrl } from "../http/endpoint.ts";
import type { Model, ModelError, ModelProtocol, ModelRequest, Sampling } from "../model.ts";
import { PROVIDERS } from "../providers.ts";
import { type AnswerDraft, answerWith } from "./answer.ts";
import { describeModel } from "./sampling.ts";

export interface Settings {
  readonly model: string;
  readonly provider: string;
  readonly maxOutputTokens: number;
  readonly acceptsImages: boolean;
  readonly sampling: Sampling;
  readonly stream: boolean;
}

/** What differs between the services behind one HTTP request. */
export interface Dialect {
  /** Whose base URL and key variable are the defaults. */
  readonly provider: string;
  readonly protocol?: ModelProtocol;
  readonly url: (base: URL, settings: Settings) => string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly keyHeader: (key: string) => Readonly<Record<string, string>>;
  /** Throws a `TypeError` for sampling parameters that the service does not have. */
  readonly check?: (settings: Settings) => void;
  readonly ask: (
    request: ModelRequest,
    draft: AnswerDraft,
    settings: Settings,
    send: Send,
  ) => Promise<ModelError | undefined>;
}

/** Sends a body; `read` takes the answer, or each piece of it, into the draft. */
type Send = (
  body: Readonly<Record<string, unknown>>,
  read: (piece: unknown) => void,
) => Promise<ModelError | undefined>;

/** Throws a `TypeError` for a base URL or sampling parameters that cannot be used. */
export function httpModel(
  given: HttpModelOptions & { readonly baseUrl?: string },
  dialect: Dialect,
): Model {
  const { baseUrl = "", keyVariable } = PROVIDERS[dialect.provider] ?? {};
  const options = {
    provider: dialect.provider,
    baseUrl,
    ...(keyVariable && { keyVariable }),
    ...given,
  };
  const { model, apiKey, provider, stream = true } = options;
  const base = requireBaseUrl(options.baseUrl, options);
  const described = describeModel({ ...options, protocol: dialect.protocol ?? "tools" });
  const { maxOutputTokens, acceptsImages, sampling = {} } = described;
  const settings = { model, provider, maxOutputTokens, acceptsImages, sampling, stream };
  dialect.check?.(settings);
  const endpoint = modelEndpoint(dialect.url(base, settings), options, {
    accept: "text/event-stream, application/json",
    ...dialect.headers,
    ...(apiKey !== undefined && dialect.keyHeader(apiKey)),
  });
  return {
    ...described,
    decide: (request, context = {}) =>
      answerWith(request, context, {
        provider,
        clock: options.clock,
        ask: (wired, draft) =>
          dialect.ask(wired, draft, settings, (body, read) =>
            askEndpoint(endpoint, { body, draft, read, signal: context.signal }),
          ),
      }),
  };
}
