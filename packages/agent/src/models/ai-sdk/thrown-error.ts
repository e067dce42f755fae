import { isRecord, property, textOf } from "../http/json.ts";
import { cleanText, networkError, statusError } from "../http/errors.ts";
import type { ModelError } from "../model.ts";

interface ThrownContext {
  readonly now: number;
  readonly secrets: readonly string[];
}

/** What a model of the AI SDK threw, by its shape: copies of its classes differ, the fields do not. */
export function thrownError(thrown: unknown, { now, secrets }: ThrownContext): ModelError {
  const url = textOf(property(thrown, "url")) ?? "";
  const status = property(thrown, "statusCode");
  const message = textOf(property(thrown, "message")) ?? String(thrown);
  if (typeof status === "number" && status >= 300) {
    const body = textOf(property(thrown, "responseBody")) || message;
    const headers = headersOf(property(thrown, "responseHeaders"));
    return statusError(status, headers, body, { endpoint: { url, secrets }, now });
  }
  if (typeof status === "number" || /JSON|TypeValidation|NoContent/.test(nameOf(thrown))) {
    const text = `the answer of the model cannot be read: ${cleanText(message, secrets)}`;
    return { code: "unreadable-answer", message: text, retryable: true };
  }
  const isConnection = url !== "" || /fetch failed|network|socket/i.test(message);
  if (isConnection) return networkError(thrown, { url }, "connecting");
  const text = `the model failed: ${cleanText(message, secrets)}`;
  return {
    code: "provider-failed",
    message: text,
    retryable: property(thrown, "isRetryable") === true,
  };
}

function nameOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.name : "";
}

function headersOf(value: unknown): Headers {
  const headers = new Headers();
  if (!isRecord(value)) return headers;
  for (const name of ["retry-after", "retry-after-ms", "location"]) {
    const text = textOf(value[name]);
    if (text !== undefined) headers.set(name, text);
  }
  return headers;
}
