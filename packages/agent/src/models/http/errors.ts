import { quoteLine } from "@skillwright/core/internal";
import type { ModelError } from "../model.ts";
import type { Endpoint } from "./endpoint.ts";
import { encodeJson, isRecord, parseJson, property, textOf, UnreadableBodyError } from "./json.ts";

const MAX_LENGTH = 500;

/** What a service says is wrong, out of the shapes in use: short, on one line, without secrets. */
function errorText(body: string, secrets: readonly string[]): string {
  return cleanText(messageOf(parseJson(body)) ?? (looksLikePage(body) ? "" : body), secrets);
}

/** Short, on one line, without secrets, and with hidden characters made visible. */
export function cleanText(text: string, secrets: readonly string[]): string {
  const redacted = secrets
    .flatMap(secretForms)
    .reduce((result, secret) => result.replaceAll(secret, "[redacted]"), text.slice(0, 20_000));
  return quoteLine(redacted, MAX_LENGTH);
}

function messageOf(value: unknown): string | undefined {
  const error = property(value, "error") ?? value;
  if (!isRecord(error)) return textOf(error);
  const parts = [error["message"], error["detail"], error["error"], error["code"], error["type"]];
  // OpenRouter puts the words of the service behind it here.
  parts.push(property(error["metadata"], "raw"));
  const texts = parts.filter((part): part is string => typeof part === "string" && part !== "");
  if (texts.length > 0) return [...new Set(texts)].join(" · ");
  const { detail } = error;
  return detail === undefined ? undefined : JSON.stringify(detail);
}

export function looksLikePage(body: string): boolean {
  return /^\s*<(?:!doctype|html|head|body|\?xml)/i.test(body.slice(0, 1000));
}

/** As it stands, in JSON, in a URL, in base64. */
function secretForms(secret: string): string[] {
  if (secret.length < 4) return [];
  const base64 = Buffer.from(secret).toString("base64").replace(/=+$/, "");
  return [
    ...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), base64]),
  ];
}

interface StatusContext {
  readonly endpoint: Pick<Endpoint, "url" | "secrets" | "keyVariable">;
  readonly now: number;
}

const OVERFLOW =
  /context.?(?:length|window|size)|maximum.{0,20}(?:context|tokens)|(?:prompt|input|request|messages?)[^.]{0,40}too (?:long|large)|too many (?:input )?tokens|exceed[^.]{0,40}(?:token|context)|context the overflows|request_too_large/i;

/** An answer that is an error, as a value the loop and the person can act on. */
export function statusError(
  status: number,
  headers: Headers,
  body: string,
  { endpoint, now }: StatusContext,
): ModelError {
  const host = hostOf(endpoint.url);
  const said = errorText(body, endpoint.secrets);
  const wait = retryAfter(headers, now) ?? retryDelay(body);
  const error = (code: ModelError["code"], text: string, retryable: boolean, hint?: string) => ({
    code,
    message: said === "" || status === 401 ? text : `${text}: ${said}`,
    retryable,
    status,
    ...(retryable && wait !== undefined && { retryAfterMs: wait }),
    ...(hint !== undefined && { hint }),
  });
  const key = endpoint.keyVariable ?? "the API key";
  // Google answers 400 for a wrong key.
  if (status === 401 || (status === 400 && /\bAPI_KEY_INVALID\b/.test(body))) {
    return error("unauthorized", `${host} rejected the API key`, false, `Check ${key}.`);
  }
  if (status === 403) {
    return error(
      "unauthorized",
      `${host} denied access`,
      false,
      `Check the permissions of ${key}.`,
    );
  }
  if (status === 429) {
    const isSpent =
      retryDelay(body) === undefined && /insufficient_quota|billing|credit balance/i.test(body);
    const hint = isSpent ? "Check the plan and the balance of the account." : undefined;
    return error("rate-limited", `${host} is limiting the request rate`, !isSpent, hint);
  }
  if ([400, 413, 422, 500].includes(status) && OVERFLOW.test(said)) {
    return error("context-overflow", "the request is too long for the model", false);
  }
  if (status === 503 || status === 529) return error("overloaded", `${host} is overloaded`, true);
  if (status === 408 || status === 504) return error("timed-out", `${host} took too long`, true);
  if (status >= 500 || status === 409 || status === 425) {
    return error("provider-failed", `${host} failed with status ${status}`, true);
  }
  if (status >= 300 && status < 400) return redirectError(status, headers, endpoint);
  if (status === 404) {
    const hint = "Check the name of the model and the base URL.";
    return error("refused-request", `${host} does not know the model or the path`, false, hint);
  }
  if (status === 402) {
    const hint = "Check the balance of the account.";
    return error("refused-request", `${host} requires payment`, false, hint);
  }
  return error("refused-request", `${host} rejected the request (status ${status})`, false);
}

export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : "the endpoint";
}

/** Following would hand the key to whoever the answer names. */
function redirectError(
  status: number,
  headers: Headers,
  endpoint: StatusContext["endpoint"],
): ModelError {
  const location = headers.get("location") ?? "";
  // A host is in lower case, where a key in it would not be found any more.
  const isClean = cleanText(location, endpoint.secrets) === location.trim();
  const isTold = isClean && URL.canParse(location, endpoint.url);
  const target = isTold ? new URL(location, endpoint.url).host : "elsewhere";
  return {
    code: "refused-request",
    message: `${hostOf(endpoint.url)} redirects to ${target}; redirects are not followed`,
    retryable: false,
    status,
    hint: "Set the base URL to the address of the service.",
  };
}

/** Names of errors in a stream, where the status has been sent long before. */
const STATUSES: Readonly<Record<string, number>> = {
  overloaded_error: 529,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  authentication_error: 401,
  permission_error: 403,
  invalid_request_error: 400,
  not_found_error: 404,
  request_too_large: 413,
  context_length_exceeded: 400,
  timeout_error: 504,
  api_error: 500,
  server_error: 500,
};

/** The error that an answer with a good status is. */
export function answerError(
  piece: unknown,
  endpoint: Endpoint,
  now: number,
): ModelError | undefined {
  const error = property(piece, "error");
  if (error === undefined || error === null || error === "") return undefined;
  const status = statusOf(error);
  return statusError(status, new Headers(), encodeJson(piece), { endpoint, now });
}

function statusOf(error: unknown): number {
  if (!isRecord(error)) return 500;
  for (const name of ["code", "status", "type"]) {
    const value = property(error, name);
    const number = typeof value === "string" && /^[45]\d\d$/.test(value) ? Number(value) : value;
    if (typeof number === "number" && number >= 400 && number < 600) return number;
    if (typeof value === "string" && Object.hasOwn(STATUSES, value)) return STATUSES[value] ?? 500;
  }
  return 500;
}

/** How long the service asks to wait, from `retry-after-ms` or `retry-after` (seconds or a date). */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = amount(headers.get("retry-after-ms"));
  if (milliseconds !== undefined) return milliseconds;
  const text = headers.get("retry-after");
  const seconds = amount(text);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const date = text === null ? Number.NaN : Date.parse(text);
  // Date.parse takes nearly anything for a date; all HTTP dates have a comma or a name of a month.
  return Number.isFinite(date) && /[a-z]{3}/i.test(text ?? "")
    ? Math.max(0, date - now)
    : undefined;
}

/** Google says how long to wait in the body: `"retryDelay": "34.07s"`. */
function retryDelay(body: string): number | undefined {
  const [, seconds] = /"retryDelay":\s*"(\d{1,9}(?:\.\d{1,9})?)s"/.exec(body) ?? [];
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000);
}

function amount(text: string | null): number | undefined {
  return text !== null && /^\s*\d{1,12}(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

/** Trying again does not help: nobody is there, or it is someone else. */
const LASTING = /^(?:ECONNREFUSED|ENOTFOUND|CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/**
 * What a connection threw, as a value. Of the thrown error only its code is told: its text can hold
 * a header, and so the key.
 */
export function networkError(
  thrown: unknown,
  endpoint: Pick<Endpoint, "url" | "unreachableHint">,
  stage: "connecting" | "reading",
): ModelError {
  const host = hostOf(endpoint.url);
  if (thrown instanceof UnreadableBodyError) {
    const message = `the response from ${host} ${thrown.message}`;
    return { code: "unreadable-answer", message, retryable: false };
  }
  const code = errorCode(thrown);
  const reason = code === undefined ? "" : ` (${code})`;
  if (code !== undefined && /TIMEOUT|ETIMEDOUT/.test(code)) {
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
    hint: endpoint.unreachableHint ?? "Check the base URL, the network and a proxy.",
  };
}

function errorCode(thrown: unknown): string | undefined {
  for (let error = thrown, depth = 0; depth < 5 && error !== undefined; depth++) {
    const code = codeOf(error);
    if (code !== undefined) return code;
    const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
    error = first ?? property(error, "cause");
  }
  return undefined;
}

function codeOf(error: unknown): string | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  return typeof code === "string" && /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? code : undefined;
}
