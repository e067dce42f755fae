import type { ModelError } from "../model.ts";
import type { Endpoint } from "./endpoint.ts";
import { encodeJson, isRecord, property } from "./json.ts";
import { statusError } from "./status-error.ts";

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
