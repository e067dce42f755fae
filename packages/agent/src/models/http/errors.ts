import { defined, quoteLine } from "@skillwright/core/internal";
import type { ModelError, ModelErrorCode } from "../model.ts";
import { UnreadableBodyError } from "./body.ts";
import { encodeJson, isRecord, listAt, parseJson, property, textAt } from "./json.ts";

/** A service, and what errors and hints need to know of it. */
export interface Endpoint {
  readonly url: string;
  /** Must not appear in any message. */
  readonly secrets: readonly string[];
  readonly keyVariable?: string;
  readonly unreachableHint?: string;
  readonly clock: () => number;
}

const MAX_LENGTH = 500;

/** One short line without secrets and with hidden characters made visible. */
export function cleanText(text: string, secrets: readonly string[]): string {
  const redacted = secrets
    .flatMap(secretForms)
    .reduce((result, secret) => result.replaceAll(secret, "[redacted]"), text.slice(0, 20_000));
  return quoteLine(redacted, MAX_LENGTH);
}

/** As plain text, in JSON, in a URL, in base64. */
function secretForms(secret: string): string[] {
  if (secret.length < 4) return [];
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), base64];
}

/** The error message in a body, whichever of the usual shapes it has. */
function messageIn(body: string): string {
  const value = parseJson(body);
  if (value === undefined) return looksLikePage(body) ? "" : body;
  const error = property(value, "error") ?? value;
  if (!isRecord(error)) return typeof error === "string" ? error : body;
  // OpenRouter puts the message of the service behind it into `metadata`.
  const paths = [["message"], ["detail"], ["error"], ["code"], ["type"], ["metadata", "raw"]];
  const reasons = listAt(error, "details").map((one) => textAt(one, "reason"));
  const texts = [...paths.map((path) => textAt(error, ...path)), ...reasons].filter(Boolean);
  if (texts.length > 0) return [...new Set(texts)].join(" · ");
  return error["detail"] === undefined ? body : JSON.stringify(error["detail"]);
}

function looksLikePage(body: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(body.slice(0, 1000));
}

const MODEL_HINT = "Check the name of the model and the base URL.";
const ANY = /(?:)/;
const OVERFLOW =
  /context.?(?:length|window|size)|maximum.{0,20}(?:context|tokens)|(?:prompt|input|request|messages?)[^.]{0,40}too (?:long|large)|too many (?:input )?tokens|exceed[^.]{0,40}(?:token|context)|context the overflows|request_too_large/i;
const SPENT_HINT = "Check the plan and the balance of the account.";
const SPENT = /insufficient_quota|billing|credit balance/i;

/** `words` are those of the service, the host goes before `text`, and `%` is where the key comes from. */
type Failure = readonly [
  statuses: readonly number[],
  words: RegExp,
  code: ModelErrorCode,
  retryable: boolean,
  text: string,
  hint?: string,
];

/** The first that fits counts. */
const FAILURES: readonly Failure[] = [
  [[400, 413, 422, 500], OVERFLOW, "context-overflow", false, "finds the request too long"],
  // From Google.
  [[400], /\bAPI_KEY_INVALID\b/, "unauthorized", false, "rejected the API key", "Check %."],
  [[401], ANY, "unauthorized", false, "rejected the API key", "Check %."],
  [[402], ANY, "refused-request", false, "requires payment", "Check the balance of the account."],
  [[403], ANY, "unauthorized", false, "denied access", "Check the permissions of %."],
  [[404], ANY, "refused-request", false, "does not know the model or the path", MODEL_HINT],
  [[408, 504], ANY, "timed-out", true, "took too long"],
  [[409, 425], ANY, "provider-failed", true, "could not answer"],
  [[429], SPENT, "rate-limited", false, "has no quota left", SPENT_HINT],
  [[429], ANY, "rate-limited", true, "is limiting the request rate"],
  [[503, 529], ANY, "overloaded", true, "is overloaded"],
];

/** Names of errors in a stream, where the status was sent long before. */
const NAMES: readonly (readonly [RegExp, status: number])[] = [
  [/overloaded/, 529],
  [/rate_limit/, 429],
  [/authentication/, 401],
  [/permission/, 403],
  [/not_found/, 404],
  [/too_large/, 413],
  [/timeout/, 504],
  [/invalid_request|context_length/, 400],
];

/** The text of a header; empty if it is absent. */
type Header = (name: string) => string;

/** A response with an error status, as a value the loop and the person can act on. */
export function statusError(
  status: number,
  header: Header,
  body: string,
  endpoint: Endpoint,
): ModelError {
  const { url, secrets, keyVariable = "the API key", clock } = endpoint;
  const host = hostOf(url);
  if (status >= 300 && status < 400) {
    // Following would send the key to whatever host the answer names. That host is in lower case, where a
    // key in it would not be found any more.
    const location = header("location");
    const isClean = cleanText(location, secrets) === location.trim();
    const target =
      isClean && URL.canParse(location, url) ? new URL(location, url).host : "elsewhere";
    const message = `${host} redirects to ${target}; redirects are not followed`;
    const hint = "Set the base URL to the address of the service.";
    return { code: "refused-request", message, retryable: false, status, hint };
  }
  const detail = cleanText(messageIn(body), secrets);
  // Google says in the body how long to wait: `"retryDelay": "34.07s"`.
  const delay = amount(/"retryDelay":\s*"([\d.]{1,20})s"/.exec(body)?.[1] ?? "", 1000);
  const words = delay === undefined ? detail : "";
  const other: Failure =
    status >= 500
      ? [[], ANY, "provider-failed", true, `failed with status ${status}`]
      : [[], ANY, "refused-request", false, `rejected the request (status ${status})`];
  const [, , code, retryable, text, advice] =
    FAILURES.find((one) => one[0].includes(status) && one[1].test(words)) ?? other;
  const hint = advice?.replace("%", () => keyVariable);
  const retryAfterMs = retryable ? (retryAfter(header, clock()) ?? delay) : undefined;
  // What a service says about a wrong key may repeat it.
  const message = `${host} ${text}${status === 401 || detail === "" ? "" : `: ${detail}`}`;
  return { code, message, retryable, status, ...defined({ retryAfterMs, hint }) };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "the endpoint";
}

/** The error in an answer with a good status. */
export function answerError(piece: unknown, endpoint: Endpoint): ModelError | undefined {
  const error = property(piece, "error");
  if (error === undefined || error === null || error === "") return undefined;
  const given = ["code", "status", "type"]
    .map((name) => property(error, name))
    .filter((one) => typeof one === "string" || typeof one === "number");
  const number = given.map(Number).find((one) => one >= 400 && one < 600);
  const named = NAMES.find(([name]) => name.test(given.join(" ")))?.[1];
  return statusError(number ?? named ?? 500, () => "", encodeJson(piece), endpoint);
}

/** How long the service asks to wait, from `retry-after-ms` or `retry-after` (seconds or a date). */
export function retryAfter(header: Header, now: number): number | undefined {
  const text = header("retry-after");
  // Date.parse accepts nearly anything; every HTTP date names a month.
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  const untilDate = Number.isNaN(date) ? undefined : Math.max(0, date - now);
  return amount(header("retry-after-ms"), 1) ?? amount(text, 1000) ?? untilDate;
}

/** A number of this many milliseconds each. */
function amount(text: string, unit: number): number | undefined {
  return /^\s*\d{1,12}(?:\.\d+)?\s*$/.test(text) ? Math.ceil(Number(text) * unit) : undefined;
}

/** A text with a good status that is not an answer. */
export function unreadableAnswer({ url }: Endpoint, text: string, type: string): ModelError {
  const isPage = looksLikePage(text) || /^text\/html/i.test(type);
  const what = isPage ? "a web page" : "a response that cannot be read";
  const hint = "Check the base URL; a proxy or a login page may have answered instead.";
  return {
    code: "unreadable-answer",
    message: `${hostOf(url)} sent ${what}`,
    // A truncated answer may be complete next time; a page stays a page.
    retryable: !isPage,
    ...(isPage && { hint }),
  };
}

/** Asking again does not help: nothing listens there, or it is another machine. */
const LASTING = /^(?:ECONNREFUSED|ENOTFOUND|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/**
 * What a connection threw, as a value. Only the code of the error is shown: its text can contain a
 * header, and so the key.
 */
export function networkError(
  thrown: unknown,
  { url, unreachableHint }: Pick<Endpoint, "url" | "unreachableHint">,
  stage: "connecting" | "reading",
): ModelError {
  const host = hostOf(url);
  if (thrown instanceof UnreadableBodyError) {
    const message = `the response from ${host} ${thrown.message}`;
    return { code: "unreadable-answer", message, retryable: false };
  }
  const code = errorCode(thrown);
  const reason = code === undefined ? "" : ` (${code})`;
  if (/TIMED?OUT/.test(code ?? "")) {
    return { code: "timed-out", message: `${host} took too long${reason}`, retryable: true };
  }
  if (stage === "reading") {
    const message = `the response from ${host} was cut off${reason}`;
    return { code: "provider-failed", message, retryable: true };
  }
  return {
    code: "unreachable",
    message: `${host} cannot be reached${reason}`,
    retryable: code !== undefined && !LASTING.test(code),
    hint: unreachableHint ?? "Check the base URL, the network and a proxy.",
  };
}

/** The code of an error or of what caused it. */
function errorCode(thrown: unknown): string | undefined {
  let error = thrown;
  for (let depth = 0; depth < 5 && typeof error === "object" && error !== null; depth++) {
    const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(code)) return code;
    const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
    error = first ?? cause;
  }
  return undefined;
}
