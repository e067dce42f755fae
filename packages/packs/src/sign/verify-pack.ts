import type { PackFailure } from "../pack-failure.ts";
import type { PackLimits } from "../pack-limits.ts";
import type { PackManifest } from "../pack/manifest.ts";
import { checkTrust, type Trust, type TrustOptions } from "./check-trust.ts";
import { readSmallFile } from "./read-small-file.ts";
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

export async function verifyPack(options: VerifyOptions): Promise<VerifyResult | PackFailure> {
  const { pack, sigstore, limits, signal } = options;
  const signature = await signatureOf(options);
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

async function signatureOf({
  pack,
  signature,
}: VerifyOptions): Promise<Buffer | undefined | PackFailure> {
  const read = await readSmallFile(signature ?? `${pack}.sig`, MAX_SIGNATURE_BYTES);
  if (read !== undefined || signature === undefined) return read;
  const message = `there is no signature ${JSON.stringify(signature)}`;
  return { ok: false, code: "source-missing", message };
}

function skillsOf({ skills }: PackManifest): VerifiedSkill[] {
  return skills.map(({ name, path, digest, version }) => {
    return { name, path, digest, ...(version !== undefined && { version }) };
  });
}
