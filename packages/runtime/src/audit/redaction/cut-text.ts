import { createHash } from "node:crypto";

const NOTE = /… \[cut: \d{1,16} characters, sha256:[0-9a-f]{64}\]$/;
const MAX_NOTE = 120;

/** The beginning of a text that is too long, with the length and digest of the whole. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // It was cut before, and is to stay what it was then.
  if (text.length <= maxLength + MAX_NOTE && NOTE.test(text.slice(-MAX_NOTE))) return text;
  const digest = createHash("sha256").update(text).digest("hex");
  const isPair = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1));
  const start = text.slice(0, isPair ? maxLength - 1 : maxLength);
  return `${start}… [cut: ${text.length} characters, sha256:${digest}]`;
}
