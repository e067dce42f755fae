import { resolve } from "node:path";
import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import type { PackFailure } from "../pack-failure.ts";
import type { PackLimits } from "../pack-limits.ts";
import { placeFiles } from "../pack/place-files.ts";
import { makeSignature, type SignWith } from "./make-signature.ts";
import { renderPublicKey } from "./public-key.ts";
import { unpackPack } from "./unpack-pack.ts";

export type SignOptions = SignWith & {
  readonly pack: string;
  /** `<pack>.sig` unless given. */
  readonly output?: string;
  /** Replaces a signature by another key. */
  readonly force?: boolean;
  readonly limits?: Partial<PackLimits>;
  readonly signal?: AbortSignal;
};

export interface SignResult {
  readonly ok: true;
  /** Absolute path of the signature. */
  readonly file: string;
  readonly fingerprint: string;
  /** The line that others put among their trusted keys. */
  readonly publicKey: string;
  readonly skills: readonly { readonly name: string; readonly digest: string }[];
}

const OPTIONS: OptionKinds<SignOptions & { readonly passphrase?: unknown }> = {
  key: "string",
  passphrase: "function",
  agent: "object",
  pack: "string",
  output: "string",
  force: "boolean",
  limits: "object",
  signal: "object",
};

export async function signPack(options: SignOptions): Promise<SignResult | PackFailure> {
  checkOptions("signPack", options, OPTIONS, ["pack"]);
  const { pack, limits, signal, output = `${pack}.sig`, force } = options;
  const unpacked = await unpackPack(pack, { limits, signal });
  if (!unpacked.ok) return unpacked;
  const made = await makeSignature(unpacked.manifestBytes, options, signal);
  if (!made.ok) return made;
  const file = resolve(output);
  const placed = await placeFiles([{ file, content: Buffer.from(made.text) }], force);
  if (!placed.ok) return placed;
  return {
    ok: true,
    file,
    fingerprint: made.publicKey.fingerprint,
    publicKey: renderPublicKey(made.publicKey),
    skills: unpacked.manifest.skills.map(({ name, digest }) => ({ name, digest })),
  };
}
