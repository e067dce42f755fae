import type { Failure } from "@skillwright/core";
import type { ModelError, Sampling } from "../model.ts";

interface BaseUrlOptions {
  /** Allows unencrypted requests to other machines, where anyone on the way can read the key. */
  readonly allowPlainHttp?: boolean;
}

type BaseUrlResult = { readonly ok: true; readonly url: URL } | Failure<"invalid-base-url">;

/** Whether requests with a key may go there. */
export function checkBaseUrl(text: string, options: BaseUrlOptions = {}): BaseUrlResult {
  // Text that does not parse is not shown: it may be a key in the wrong place.
  if (!URL.canParse(text)) return invalid("the base URL is not a URL", "Example: https://host/v1");
  const url = new URL(text);
  const { protocol, username, password, host, hostname } = url;
  if (protocol !== "https:" && protocol !== "http:") {
    return invalid("the base URL must begin with https: or http:");
  }
  if (username !== "" || password !== "") {
    const hint = "Put the key into an environment variable.";
    return invalid("the base URL contains a user name or password", hint);
  }
  const isLoopback = /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
  if (protocol === "http:" && !isLoopback && options.allowPlainHttp !== true) {
    const hint = "Use https:, or allow plain http for this endpoint (allowPlainHttp).";
    return invalid(`requests to ${host} would not be encrypted`, hint);
  }
  return { ok: true, url };
}

function invalid(message: string, hint?: string): Failure<"invalid-base-url"> {
  return { ok: false, code: "invalid-base-url", message, ...(hint !== undefined && { hint }) };
}

/** Throws a `TypeError` for a URL that `checkBaseUrl` refuses. */
export function requireBaseUrl(text: string, options: BaseUrlOptions): URL {
  const result = checkBaseUrl(text, options);
  if (result.ok) return result.url;
  throw new TypeError([result.message, result.hint].filter(Boolean).join(". "));
}

/** The path below the base; a query of the base, such as a version, stays. */
export function endpointUrl(base: URL, path: string): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/${path}`;
  url.hash = "";
  return url.href;
}

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
  /** More headers. Their values are treated as secrets. */
  readonly headers?: Readonly<Record<string, string>>;
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

/** A service, and what its errors and hints need to know. */
export interface Endpoint extends HttpModelOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Must not appear in any message. */
  readonly secrets: readonly string[];
}

/** Headers of the options cannot replace `own`, those of the adapter. */
export function modelEndpoint(
  url: string,
  options: HttpModelOptions,
  own: Readonly<Record<string, string>>,
): Endpoint {
  const { apiKey, headers = {} } = options;
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  const secrets = [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(headers)];
  return { ...options, url, headers: { ...Object.fromEntries(given), ...own }, secrets };
}

/** A key with a space or a line break cannot be sent, and the error that fetch throws shows it. */
export function keyProblem({ apiKey, headers, keyVariable }: Endpoint): ModelError | undefined {
  const isKeyBad = apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey);
  const isHeaderBad = Object.values(headers).some((value) => !/^[\t\x20-\x7e]*$/.test(value));
  if (!isKeyBad && !isHeaderBad) return undefined;
  return {
    code: "unauthorized",
    message: `${isKeyBad ? "the API key" : "a header"} contains invalid characters`,
    retryable: false,
    hint: `Check ${keyVariable ?? "where it comes from"} for spaces, quotes and line breaks.`,
  };
}
