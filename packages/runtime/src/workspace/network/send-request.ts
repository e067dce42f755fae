import { isUtf8 } from "node:buffer";
import type { Failure } from "@skillwright/core";
import {
  checkTarget,
  type NetworkLookup,
  type NetworkTransport,
  type TransportResponse,
} from "./network-request.ts";

export interface NetworkRequestResult {
  readonly ok: true;
  /** Where the answer came from, after redirections. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  /** Absent when it is not text. */
  readonly text?: string;
  /** Of the body, as far as it was read. */
  readonly bytes: number;
  readonly truncated: boolean;
}

export interface OutgoingRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface SendOptions {
  readonly allowedDomains: readonly string[];
  readonly maxBytes: number;
  readonly transport: NetworkTransport;
  readonly lookup: NetworkLookup;
}

const MAX_REDIRECTIONS = 5;
const REDIRECTIONS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Sends a request and follows redirections, each checked like the first. */
export async function sendRequest(
  request: OutgoingRequest,
  options: SendOptions,
): Promise<NetworkRequestResult | Failure> {
  const { allowedDomains, lookup, transport, maxBytes } = options;
  const { signal } = request;
  let { url: next, method, headers, body } = request;
  for (let redirections = 0; redirections <= MAX_REDIRECTIONS; redirections++) {
    signal.throwIfAborted();
    const target = await checkTarget(next, allowedDomains, lookup);
    if (!target.ok) return redirections === 0 ? target : redirectRefused(target);
    signal.throwIfAborted();
    const { url, address } = target;
    const response = await transport({
      url,
      method,
      address,
      signal,
      headers: { ...headers, "accept-encoding": "identity", "user-agent": "skillwright" },
      ...(body !== undefined && { body }),
    });
    const { location } = response.headers;
    if (!REDIRECTIONS.has(response.status) || location === undefined) {
      return readResponse(url, response, maxBytes);
    }
    await discard(response);
    if (!URL.canParse(location, url.href)) {
      return { ok: false, code: "network-failed", message: "the server redirects to no URL" };
    }
    // Resolved here only to make a relative one whole; it is checked like the first.
    next = new URL(location, url).href;
    if (body !== undefined && response.status >= 307 && new URL(next).origin !== url.origin) {
      return refused("the server wants the body to be sent to another host");
    }
    if (response.status < 307 && method === "POST") {
      method = "GET";
      body = undefined;
      headers = { accept: headers["accept"] ?? "*/*" };
    }
  }
  return refused(`there are more than ${MAX_REDIRECTIONS} redirections`);
}

async function readResponse(
  url: URL,
  { status, headers, body }: TransportResponse,
  maxBytes: number,
): Promise<NetworkRequestResult> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  let truncated = false;
  for await (const chunk of body) {
    const room = maxBytes - length;
    chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    length += Math.min(chunk.length, room);
    truncated = chunk.length > room;
    if (truncated) break;
  }
  const bytes = Buffer.concat(chunks);
  const encoding = headers["content-encoding"] ?? "identity";
  const text = encoding === "identity" ? textOf(bytes, truncated) : undefined;
  return {
    ok: true,
    url: url.href,
    status,
    contentType: (headers["content-type"] ?? "unknown").slice(0, 100),
    ...(text !== undefined && { text }),
    bytes: length,
    truncated,
  };
}

/** Undefined for what is not UTF-8; a character that was cut off at the end is left out. */
function textOf(bytes: Buffer, truncated: boolean): string | undefined {
  for (let cut = 0; cut <= (truncated ? 3 : 0); cut++) {
    const whole = bytes.subarray(0, Math.max(0, bytes.length - cut));
    if (isUtf8(whole)) return whole.includes(0) ? undefined : whole.toString("utf8");
  }
  return undefined;
}

/** Leaving the loop closes the connection. */
async function discard({ body }: TransportResponse): Promise<void> {
  const iterator = body[Symbol.asyncIterator]();
  await iterator.return?.();
}

function redirectRefused(failure: Failure): Failure {
  return { ...failure, message: `the server redirects elsewhere: ${failure.message}` };
}

function refused(message: string): Failure<"network-refused"> {
  return { ok: false, code: "network-refused", message };
}
