import type { Failure } from "@skillwright/core";

export interface BaseUrlOptions {
  /** Also without encryption to other machines, where anyone on the way can read the key. */
  readonly allowPlainHttp?: boolean;
}

type BaseUrlResult = { readonly ok: true; readonly url: URL } | Failure<"invalid-base-url">;

/** Whether requests with a key may go there. */
export function checkBaseUrl(text: string, options: BaseUrlOptions = {}): BaseUrlResult {
  // What does not parse is not shown: it may be a key in the wrong place.
  if (!URL.canParse(text)) return invalid("the base URL is no URL", "such as https://host/v1");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return invalid("the base URL must begin with https: or http:");
  }
  if (url.username !== "" || url.password !== "") {
    return invalid("the base URL has a user or password in it", "Give the key by the environment.");
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname) && options.allowPlainHttp !== true) {
    return invalid(
      `${url.host} would be asked without encryption`,
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
