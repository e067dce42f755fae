import { quoteLine } from "@skillwright/core/internal";
import { isRecord, parseJson, property, textOf } from "./json.ts";

const MAX_LENGTH = 500;

/** What a service says is wrong, out of the shapes in use: short, on one line, without secrets. */
export function errorText(body: string, secrets: readonly string[]): string {
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
