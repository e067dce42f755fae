import { hideSecrets, hideSecretsIn } from "../settings/hide-secrets.ts";
import { shownText } from "../shown-text.ts";

export interface ResultText {
  readonly isError: boolean;
  readonly text: string;
}

// Tabs and line breaks stay.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** What a tool gave, as bounded text without secrets. What is no text is named, not passed on. */
export function resultText(
  result: unknown,
  maxBytes: number,
  secrets: readonly string[] = [],
): ResultText {
  const { content, structuredContent, isError } = asObject(hideSecretsIn(result, secrets));
  const parts = Array.isArray(content) ? content.map(partText) : [];
  const structured = structuredContent === undefined ? "" : JSON.stringify(structuredContent);
  const text = parts.some((part) => part !== "") ? parts.join("\n") : structured;
  // Once more, before the cut: what is taken out may have stood in a secret.
  const clean = hideSecrets(text.replaceAll(CONTROL, ""), secrets);
  return { isError: isError === true, text: cut(clean, maxBytes) };
}

function partText(part: unknown): string {
  const { type, text, mimeType, data, resource, uri, name } = asObject(part);
  if (type === "text") return typeof text === "string" ? text : "";
  if (type === "resource") {
    const { text: inner, uri: from } = asObject(resource);
    return typeof inner === "string" ? inner : `(a resource that is no text: ${shown(from)})`;
  }
  if (type === "resource_link") return `(a link to ${shown(name)}: ${shown(uri)})`;
  if (type !== "image" && type !== "audio") {
    const kind = typeof type === "string" ? `of the unknown type ${shown(type)}` : "without a type";
    return `(content ${kind}: not shown)`;
  }
  const size = typeof data === "string" ? `, ${data.length} characters of base64` : "";
  return `(${type} ${shown(mimeType)}${size}: not shown)`;
}

/** Head and tail, so that what comes last is seen too. */
function cut(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const half = Math.floor(maxBytes / 2);
  const head = bytes.subarray(0, half).toString("utf8");
  const tail = bytes.subarray(bytes.length - half).toString("utf8");
  return `${head}\n… ${bytes.length - 2 * half} bytes are left out …\n${tail}`;
}

function shown(value: unknown): string {
  return typeof value === "string" ? shownText(value, 100) : "";
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
