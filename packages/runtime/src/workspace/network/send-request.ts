import type { Failure } from "@skillwright/core";
import { addressReach } from "@skillwright/core/internal/address";
import { isIP, type LookupFunction } from "node:net";

/** All addresses of a host. Throws when there are none. */
export type NetworkLookup = (host: string) => Promise<readonly NetworkAddress[]>;

export interface NetworkAddress {
  readonly address: string;
  readonly family: 4 | 6;
}

export const systemLookup: NetworkLookup = async (host) => {
  const { lookup } = process.getBuiltinModule("node:dns/promises");
  const found = await lookup(host, { all: true, order: "ipv4first" });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
};

interface WebRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface OutgoingRequest extends WebRequest {
  readonly url: string;
}

export interface TransportRequest extends WebRequest {
  readonly url: URL;
  /** The only address that may be connected to; the name in the URL must not be resolved again. */
  readonly address: NetworkAddress;
}

export interface TransportResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** May be left before its end; then the connection is closed. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Makes one request and follows no redirection. Throws without an answer. */
export type NetworkTransport = (request: TransportRequest) => Promise<TransportResponse>;

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

export interface SendOptions {
  readonly allowedDomains: readonly string[];
  readonly maxBytes: number;
  /** Default: `httpsTransport`. */
  readonly transport: NetworkTransport | undefined;
  /** Default: the system's resolver. */
  readonly lookup: NetworkLookup | undefined;
}

const MAX_REDIRECTIONS = 5;
const REDIRECTIONS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_URL_LENGTH = 4096;

/** Sends a request and follows redirections, each checked like the first. */
export async function sendRequest(
  request: OutgoingRequest,
  { allowedDomains, maxBytes, transport = httpsTransport, lookup = systemLookup }: SendOptions,
): Promise<NetworkRequestResult | Failure> {
  const { signal } = request;
  let { url: next, method, headers, body } = request;
  for (let redirections = 0; redirections <= MAX_REDIRECTIONS; redirections++) {
    signal.throwIfAborted();
    const target = await checkTarget(next, allowedDomains, lookup);
    if (!target.ok) {
      const where = redirections === 0 ? "" : "the server redirects elsewhere: ";
      return { ...target, message: where + target.message };
    }
    signal.throwIfAborted();
    const { url, address } = target;
    const sent = { ...headers, "accept-encoding": "identity", "user-agent": "skillwright" };
    const content = body === undefined ? {} : { body };
    const response = await transport({ url, method, address, signal, headers: sent, ...content });
    const { location } = response.headers;
    if (!REDIRECTIONS.has(response.status) || location === undefined) {
      return readResponse(url, response, maxBytes);
    }
    // Leaving the body closes the connection.
    await response.body[Symbol.asyncIterator]().return?.();
    if (!URL.canParse(location, url.href)) return failed("the server redirects to no URL");
    // A relative location becomes absolute here, and is then checked like the first URL.
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
  let bytes = 0;
  let truncated = false;
  for await (const chunk of body) {
    const kept = chunk.subarray(0, maxBytes - bytes);
    chunks.push(kept);
    bytes += kept.length;
    truncated = kept.length < chunk.length;
    if (truncated) break;
  }
  const isPlain = (headers["content-encoding"] ?? "identity") === "identity";
  const text = isPlain ? textOf(Buffer.concat(chunks), truncated) : undefined;
  const contentType = (headers["content-type"] ?? "unknown").slice(0, 100);
  const content = text === undefined ? {} : { text };
  return { ok: true, url: url.href, status, contentType, ...content, bytes, truncated };
}

/** Undefined for what is not UTF-8; a character that was cut off at the end is left out. */
function textOf(bytes: Buffer, truncated: boolean): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return decoder.decode(bytes, { stream: truncated });
  } catch {
    return undefined;
  }
}

type NetworkFailure = Failure<"network-refused" | "network-failed">;
type CheckedTarget =
  | { readonly ok: true; readonly url: URL; readonly address: NetworkAddress }
  | NetworkFailure;

/** Whether an address may be asked at all, and at which one of its checked addresses. */
async function checkTarget(
  text: string,
  allowedDomains: readonly string[],
  lookup: NetworkLookup,
): Promise<CheckedTarget> {
  const url = checkUrl(text, allowedDomains);
  if (!(url instanceof URL)) return url;
  const find = async () => lookup(url.hostname);
  const addresses = await find().catch(() => []);
  const [address] = addresses;
  if (address === undefined) return failed(`${url.hostname} has no address`);
  // One private address among public ones is how a name is made to lead inside at the second look.
  if (!addresses.every((one) => isPublicAddress(one.address))) {
    return refused(`${url.hostname} leads to an address that is not on the public internet`);
  }
  return { ok: true, url, address };
}

/** The checks that need no lookup. */
function checkUrl(text: string, allowedDomains: readonly string[]): URL | NetworkFailure {
  if (text.length > MAX_URL_LENGTH) return refused("the URL is too long");
  // Parsers leave these out silently, so that people and programs read different addresses.
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u0020\u007f-\u009f\\]/.test(text)) {
    return refused("the URL has blanks, backslashes or control characters");
  }
  if (!URL.canParse(text)) return refused("that is not a URL");
  const url = new URL(text);
  if (url.protocol !== "https:") return refused("only https is allowed");
  if (url.username !== "" || url.password !== "" || /^[^/]*:\/*[^/?#]*@/.test(text)) {
    return refused("a URL must not hold a user name or password");
  }
  url.hash = "";
  url.hostname = url.hostname.replace(/\.$/, "");
  const { hostname, port } = url;
  if (isIP(hostname.replace(/^\[|\]$/g, "")) !== 0) {
    return refused("the host must be a name, not an address");
  }
  if (!allowedDomains.some((domain) => covers(domain, hostname, port))) {
    return refused(
      `${hostname}${port === "" ? "" : `:${port}`} is not among the allowed domains`,
      allowedDomains.length === 0
        ? "No domain is allowed; the user has to name some in the configuration."
        : `Allowed: ${allowedDomains.join(", ")}.`,
    );
  }
  return url;
}

/** `*.example.com` covers what is below `example.com`, not that itself; a port must be named. */
function covers(domain: string, hostname: string, port: string): boolean {
  const [, wildcard = "", host = "", wantedPort = ""] =
    /^(\*\.)?([^:/*]+?)\.?(?::(\d+))?$/.exec(domain.trim().toLowerCase()) ?? [];
  if (host === "" || !URL.canParse(`https://${host}`)) return false;
  if ((wantedPort === "443" ? "" : wantedPort) !== port) return false;
  const plain = new URL(`https://${host}`).hostname;
  return wildcard === "" ? hostname === plain : hostname.endsWith(`.${plain}`);
}

function refused(message: string, hint?: string): NetworkFailure {
  return { ok: false, code: "network-refused", message, ...(hint !== undefined && { hint }) };
}

function failed(message: string): NetworkFailure {
  return { ok: false, code: "network-failed", message };
}

/** An IPv4 address inside an IPv6 one: resolvers do not give these, so one is an attempt to mislead. */
const MAPPED = /^::ffff:/i;

/** True for an address of the public internet: not of this machine, this network or a provider. */
export function isPublicAddress(address: string): boolean {
  // A zone names a network card.
  if (isIP(address) === 0 || address.includes("%") || MAPPED.test(address)) return false;
  return addressReach(address) === "public";
}

/** Connects to the given address and to no other; the certificate must be that of the host. */
export const httpsTransport: NetworkTransport = async (asked) => {
  const { url, method, headers, body, address, signal } = asked;
  const { request } = process.getBuiltinModule("node:https");
  return new Promise<TransportResponse>((resolve, reject) => {
    const options = {
      host: url.hostname,
      servername: url.hostname,
      port: url.port === "" ? 443 : Number(url.port),
      path: `${url.pathname}${url.search}`,
      method,
      headers: { ...headers, host: url.host },
      // Not a kept-alive connection, which may lead to another address.
      agent: false,
      rejectUnauthorized: true,
      maxHeaderSize: 32 * 1024,
      lookup: pinnedLookup(address),
      signal,
    };
    const outgoing = request(options, (incoming) => {
      const received = Object.entries(incoming.headers);
      resolve({
        status: incoming.statusCode ?? 0,
        headers: Object.fromEntries(received.map(([name, value]) => [name, value?.toString()])),
        body: incoming,
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
};

function pinnedLookup({ address, family }: NetworkAddress): LookupFunction {
  return (_host, options, callback) => {
    if (options.all === true) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}
