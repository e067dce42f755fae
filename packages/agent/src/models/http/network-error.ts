import type { ModelError } from "../model.ts";
import type { Endpoint } from "./endpoint.ts";
import { property } from "./json.ts";
import { UnreadableBodyError } from "./read-body.ts";
import { hostOf } from "./status-error.ts";

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
    const message = `the answer of ${host} ${thrown.message}`;
    return { code: "unreadable-answer", message, retryable: false };
  }
  const code = errorCode(thrown);
  const reason = code === undefined ? "" : ` (${code})`;
  if (code !== undefined && /TIMEOUT|ETIMEDOUT/.test(code)) {
    return { code: "timed-out", message: `${host} took too long${reason}`, retryable: true };
  }
  if (stage === "reading") {
    const message = `the answer of ${host} broke off${reason}`;
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
