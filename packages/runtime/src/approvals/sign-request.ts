import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";
import type { ApprovalRequest } from "./approval.ts";
import { canonicalJson } from "@skillwright/core/internal";

/** What a signature is for: one made for a request is none for an approval. */
export type SignedKind = "request" | "approval" | "script";
type DigestKind = "input" | "approval-id";

const SIGNATURE = /^[0-9a-f]{64}$/;

export function signRequest(
  request: Omit<ApprovalRequest, "signature">,
  key: KeyObject,
): ApprovalRequest {
  return { ...request, signature: signatureOf("request", request, key) };
}

/** Whether this is a request that the user's key signed, with nothing changed, added or left out. */
export function verifyRequest(value: unknown, key: KeyObject): value is ApprovalRequest {
  return hasSignature("request", value, key);
}

/** HMAC-SHA-256, in hexadecimal, over the kind and the canonical text of the value. */
export function signatureOf(kind: SignedKind, value: object, key: KeyObject): string {
  return hmac(kind, value, key).toString("hex");
}

/**
 * A digest of a value that may hold secrets. Only the holder of the user's key can compute it, so a
 * short password cannot be guessed from one that was stored.
 */
export function keyedDigest(kind: DigestKind, value: unknown, key: KeyObject): string {
  return hmac(kind, value, key).toString("hex");
}

/** Whether an object's `signature` is the one for the rest of it. */
export function hasSignature(kind: SignedKind, value: unknown, key: KeyObject): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { signature, ...rest } = value as Record<string, unknown>;
  if (typeof signature !== "string" || !SIGNATURE.test(signature)) return false;
  try {
    return timingSafeEqual(Buffer.from(signature, "hex"), hmac(kind, rest, key));
  } catch (error) {
    // What has no canonical text was never signed.
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function hmac(kind: SignedKind | DigestKind, value: unknown, key: KeyObject): Buffer {
  const text = `skillwright ${kind} 1\n${canonicalJson(value)}`;
  return createHmac("sha256", key).update(text).digest();
}
