import type { PackFailure } from "../pack-failure.ts";
import { checkSignature } from "./check-signature.ts";
import { readTrustedKeys } from "./read-trusted-keys.ts";

export interface TrustOptions {
  /**
   * Keys as `readTrustedKeys` takes them. When there are any, the pack must be signed by one of
   * them; with none a signature is still checked and its signer reported, but nobody is trusted.
   */
  readonly trustedKeys: readonly string[];
  /** `accept` lets a pack without any signature pass, though keys are given. */
  readonly unsigned?: "refuse" | "accept";
  /** For keys that are trusted for a time only. */
  readonly now?: Date;
}

export interface Trust {
  readonly ok: true;
  /** Fingerprint of the key that signed. */
  readonly signer?: string;
  /** Whether that is one of the trusted keys. */
  readonly trusted: boolean;
}

/** Who signed these bytes, and whether that is somebody the caller believes. */
export function checkTrust(
  content: Uint8Array,
  signature: string | undefined,
  { trustedKeys, unsigned = "refuse", now }: TrustOptions,
): Trust | PackFailure {
  const read = readTrustedKeys(trustedKeys, now);
  if (!read.ok) return read;
  const isOpen = trustedKeys.length === 0;
  if (signature === undefined) {
    if (isOpen || unsigned === "accept") return { ok: true, trusted: false };
    return unknown("the pack is not signed", "ask its author for the `.sig` file");
  }
  const checked = checkSignature(signature, content);
  if (!checked.ok) return checked;
  const { fingerprint: signer } = checked;
  if (isOpen) return { ok: true, signer, trusted: false };
  if (read.keys.some(({ fingerprint }) => fingerprint === signer)) {
    return { ok: true, signer, trusted: true };
  }
  const hint = "compare the fingerprint with its author, then add the key to the trusted ones";
  return unknown(`the pack is signed by ${signer}, which is not a trusted key`, hint);
}

function unknown(message: string, hint: string): PackFailure {
  return { ok: false, code: "signer-unknown", message, hint };
}
