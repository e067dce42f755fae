import { revokedProblem } from "./signed-manifest.ts";
import { checkOptions, type OptionKinds, oneOf } from "@skillwright/core/internal";
import type { PackFailure } from "../pack-failure.ts";
import type { PackLimits } from "../pack-limits.ts";
import type { PackManifest } from "../pack/manifest.ts";
import { checkSignature } from "./check-signature.ts";
import { readSmallFile } from "./read-small-file.ts";
import { readTrustedKeys } from "./read-trusted-keys.ts";
import type { SigstoreIdentity, SigstoreOptions } from "./sigstore/sigstore-options.ts";
import { verifySigstore } from "./sigstore/verify-sigstore.ts";
import { readUnpacked, unpackPack } from "./unpack-pack.ts";

export interface VerifyOptions extends TrustOptions {
  /** The archive. */
  readonly pack: string;
  /** The signature; `<pack>.sig` if it is there, unless given. */
  readonly signature?: string;
  /** Also checks `<pack>.sigstore.json`, which then has to be there. */
  readonly sigstore?: SigstoreOptions;
  readonly limits?: Partial<PackLimits>;
  readonly signal?: AbortSignal;
}

export interface VerifyResult extends Trust {
  readonly skills: readonly VerifiedSkill[];
  readonly manifest: PackManifest;
  /** `sha256:…` of the archive. */
  readonly integrity: string;
  /** Who signed with Sigstore: always the one that was asked for. */
  readonly identity?: SigstoreIdentity;
}

interface VerifiedSkill {
  readonly name: string;
  readonly path: string;
  readonly digest: string;
  readonly version?: string;
}

const MAX_SIGNATURE_BYTES = 16 * 1024;

const OPTIONS: OptionKinds<VerifyOptions> = {
  pack: "string",
  signature: "string",
  sigstore: "object",
  limits: "object",
  signal: "object",
  trustedKeys: "strings",
  revokedKeys: "strings",
  unsigned: oneOf("refuse", "accept"),
  now: "object",
};

export async function verifyPack(options: VerifyOptions): Promise<VerifyResult | PackFailure> {
  checkOptions("verifyPack", options, OPTIONS, ["pack", "trustedKeys"]);
  const { pack, sigstore, limits, signal } = options;
  const signature = signatureOf(options);
  if (signature !== undefined && "ok" in signature) return signature;
  const unpacked = await unpackPack(pack, { limits, signal });
  if (!unpacked.ok) return unpacked;
  const { manifest, manifestBytes, integrity } = unpacked;
  const identity = sigstore && (await verifySigstore(pack, integrity, sigstore));
  if (identity !== undefined && !identity.ok) return identity;
  // With an identity asked for, the pack is signed even without a `.sig`.
  const unsigned = identity === undefined ? options.unsigned : "accept";
  const text = signature?.toString("utf8");
  const trust = checkTrust(manifestBytes, text, { ...options, ...(unsigned && { unsigned }) });
  if (!trust.ok) return trust;
  const result = { ...trust, skills: skillsOf(manifest), manifest, integrity };
  if (identity === undefined) return result;
  const { issuer, subject } = identity;
  return { ...result, trusted: true, identity: { issuer, subject } };
}

/**
 * The same for a pack that lies unpacked in a folder of the caller's, so that what is verified is
 * what is installed. `signature` is the text of the signature.
 */
export async function verifyUnpacked(
  options: TrustOptions & { readonly directory: string; readonly signature?: string },
): Promise<Omit<VerifyResult, "integrity" | "identity"> | PackFailure> {
  const unpacked = await readUnpacked(options.directory);
  if (!unpacked.ok) return unpacked;
  const { manifest, manifestBytes } = unpacked;
  const trust = checkTrust(manifestBytes, options.signature, options);
  return trust.ok ? { ...trust, skills: skillsOf(manifest), manifest } : trust;
}

function signatureOf({ pack, signature }: VerifyOptions): Buffer | undefined | PackFailure {
  const read = readSmallFile(signature ?? `${pack}.sig`, MAX_SIGNATURE_BYTES);
  if (read !== undefined || signature === undefined) return read;
  const message = `there is no signature ${JSON.stringify(signature)}`;
  return { ok: false, code: "source-missing", message };
}

function skillsOf({ skills }: PackManifest): VerifiedSkill[] {
  return skills.map(({ name, path, digest, version }) => {
    return { name, path, digest, ...(version !== undefined && { version }) };
  });
}

interface TrustOptions {
  /**
   * Keys as `readTrustedKeys` takes them. When there are any, the pack must be signed by one of
   * them; with none a signature is still checked and its signer reported, but nobody is trusted.
   */
  readonly trustedKeys: readonly string[];
  /** Keys whose signatures no longer count. */
  readonly revokedKeys?: readonly string[];
  /** `accept` lets a pack without any signature pass, though keys are given. */
  readonly unsigned?: "refuse" | "accept";
  /** For keys that are trusted for a time only. */
  readonly now?: Date;
}

interface Trust {
  readonly ok: true;
  /** Fingerprint of the key that signed. */
  readonly signer?: string;
  /** Whether that is one of the trusted keys. */
  readonly trusted: boolean;
}

/** Who signed these bytes, and whether that is somebody the caller believes. */
function checkTrust(
  content: Uint8Array,
  signature: string | undefined,
  { trustedKeys, revokedKeys, unsigned = "refuse", now }: TrustOptions,
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
  const revoked = revokedProblem(signer, revokedKeys);
  if (revoked !== undefined) return revoked;
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
