import type { Failure } from "@skillwright/core";
import type { ModelError, Sampling } from "../model.ts";

interface BaseUrlOptions {
  /** Also without encryption to other machines, where anyone on the way can read the key. */
  readonly allowPlainHttp?: boolean;
}

type BaseUrlResult = { readonly ok: true; readonly url: URL } | Failure<"invalid-base-url">;

/** Whether requests with a key may go there. */
export function checkBaseUrl(text: string, options: BaseUrlOptions = {}): BaseUrlResult {
  // What does not parse is not shown: it may be a key in the wrong place.
  if (!URL.canParse(text)) return invalid("the base URL is not a URL", "Example: https://host/v1");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return invalid("the base URL must begin with https: or http:");
  }
  if (url.username !== "" || url.password !== "") {
    return invalid(
      "the base URL contains a user name or password",
      "Put the key into an environment variable.",
    );
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname) && options.allowPlainHttp !== true) {
    return invalid(
      `requests to ${url.host} would not be encrypted`,
      "Use https:, or allow plain http for this endpoint (allowPlainHttp).",
    );
  }
  return { ok: true, url };
}

/** For code that has a URL of its own: a wrong one is a bug. */
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

function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.+\.localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

function invalid(message: string, hint?: string): Failure<"invalid-base-url"> {
  return { ok: false, code: "invalid-base-url", message, ...(hint !== undefined && { hint }) };
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
  /** Default true. Without, the answer comes in one piece, and long ones may time out. */
  readonly stream?: boolean;
  /** Milliseconds; default `Date.now`. */
  readonly clock?: () => number;
  /** The first part of the model's id. */
  readonly provider?: string;
  /** Named in hints. */
  readonly keyVariable?: string;
  readonly unreachableHint?: string;
}

/** A key with a line break or a space in it cannot be sent, and what is thrown then would show it. */
export function keyProblem({
  apiKey,
  headers,
  keyVariable,
}: HttpModelOptions): ModelError | undefined {
  const values = [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(headers ?? {})];
  const isKeyBad = apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey);
  if (!isKeyBad && values.every((value) => /^[\t\x20-\x7e]*$/.test(value))) return undefined;
  return {
    code: "unauthorized",
    message: isKeyBad
      ? "the API key contains invalid characters"
      : "a header contains invalid characters",
    retryable: false,
    hint: `Check ${keyVariable ?? "where it comes from"} for spaces, quotes and line breaks.`,
  };
}

/** What is known of the service that is asked, for its errors and their hints. */
export interface Endpoint {
  readonly url: string;
  /** Sent with each request. */
  readonly headers: Readonly<Record<string, string>>;
  /** Must be in no message. */
  readonly secrets: readonly string[];
  /** The environment variable that holds the key. */
  readonly keyVariable?: string;
  /** What to do when nobody answers. */
  readonly unreachableHint?: string;
}

/** `own` are the headers of the dialect; those of the options cannot replace them. */
export function modelEndpoint(
  url: string,
  { apiKey, headers = {}, keyVariable, unreachableHint }: HttpModelOptions,
  own: Readonly<Record<string, string>>,
): Endpoint {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    url,
    headers: { ...(Object.fromEntries(given) as Record<string, string>), ...own },
    secrets: [...(apiKey === undefined ? [] : [apiKey]), ...Object.values(headers)],
    ...(keyVariable !== undefined && { keyVariable }),
    ...(unreachableHint !== undefined && { unreachableHint }),
  };
}
