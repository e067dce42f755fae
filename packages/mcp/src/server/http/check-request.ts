import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Refusal } from "./http-answer.ts";

export interface RequestRules {
  readonly path: string;
  readonly token: string;
  /** Whether it is reached from this machine only. */
  readonly isLoopback: boolean;
  /** Names by which it may be called besides addresses, in lower case. */
  readonly hosts: readonly string[];
}

const SINGLE = ["host", "origin", "authorization", "mcp-session-id", "content-type"];
const METHODS = ["GET", "POST", "DELETE"];
const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Why a request is not even looked at; undefined when it is. */
export function checkRequest(
  { method = "", url = "", headers, headersDistinct }: IncomingMessage,
  rules: RequestRules,
): Refusal | undefined {
  // Of two, this server and a proxy in front of it may each take another one.
  const twice = SINGLE.find((name) => (headersDistinct[name]?.length ?? 0) > 1);
  if (twice !== undefined) return { status: 400, message: `the header ${twice} is there twice` };
  if (!isOwnHost(headers.host, rules)) {
    return { status: 403, message: "this server is not called by that name (Host)" };
  }
  if (headers.origin !== undefined && !isOwnOrigin(headers.origin, rules)) {
    return { status: 403, message: "pages of that origin may not call this server (Origin)" };
  }
  if (!hasToken(headers.authorization, rules.token)) {
    const authenticate = { "www-authenticate": 'Bearer realm="skillwright"' };
    return {
      status: 401,
      message: "a bearer token is needed; the server printed it when it started",
      headers: authenticate,
    };
  }
  if (url.split("?", 1)[0] !== rules.path) {
    return { status: 404, message: `there is nothing here; the server is at ${rules.path}` };
  }
  if (!METHODS.includes(method)) {
    return {
      status: 405,
      message: "only GET, POST and DELETE",
      headers: { allow: METHODS.join(", ") },
    };
  }
  return undefined;
}

/** A page that was sent here by a name of its own keeps that name: an address cannot be made up. */
function isOwnHost(host: string | undefined, { isLoopback, hosts }: RequestRules): boolean {
  const name = hostName(host ?? "");
  if (name === undefined) return false;
  if (LOOPBACK_NAMES.has(name) || hosts.includes(name)) return true;
  return !isLoopback && isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

function isOwnOrigin(origin: string, { hosts }: RequestRules): boolean {
  const name = hostName(/^https?:\/\/(.*)$/.exec(origin)?.[1] ?? "");
  return name !== undefined && (LOOPBACK_NAMES.has(name) || hosts.includes(name));
}

/** Of a name or an address with a port or without, and nothing else. */
function hostName(text: string): string | undefined {
  return /^([\w.-]+|\[[\d.:a-f]+\])(?::\d{1,5})?$/i.exec(text)?.[1]?.toLowerCase();
}

/** Takes as long for a token that begins right as for any other. */
function hasToken(authorization: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(digestOf(given), digestOf(token)) && given !== "";
}

function digestOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
