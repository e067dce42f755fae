import { createHash } from "node:crypto";

/** `sha256:` and the hash of the text. */
export function contentDigest(text: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
