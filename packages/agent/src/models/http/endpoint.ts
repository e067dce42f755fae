import type { Failure } from "@skillwright/core";

export interface BaseUrlOptions {
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
