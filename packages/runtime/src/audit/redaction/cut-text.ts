import { createHash } from "node:crypto";

/** The beginning of a text that is too long, with the length and digest of the whole. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const digest = createHash("sha256").update(text).digest("hex");
  const isPair = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1));
  const start = text.slice(0, isPair ? maxLength - 1 : maxLength);
  return `${start}… [cut: ${text.length} characters, sha256:${digest}]`;
}
