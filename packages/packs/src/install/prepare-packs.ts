import type { SignedManifest } from "../sign/signed-manifest.ts";
import type { FetchedPack } from "../fetched-pack.ts";
import type { PackFailure } from "../pack-failure.ts";
import type { FetchedSkill } from "./fetch-locked.ts";
import type { Workplace } from "./open-session.ts";
import type { Acceptance, PackSession } from "./pack-session.ts";
import { packSigner } from "./pack-signer.ts";

export interface PreparedPack {
  readonly signed?: SignedManifest;
  readonly notes: readonly string[];
  /** Of its own: skills of two packs may have the same path. */
  readonly staging: string;
}

/** Checks packs while they are whole; staging takes their skills out one by one. */
export async function preparePacks(
  skills: readonly FetchedSkill[],
  options: PackSession & Acceptance,
  place: Workplace,
): Promise<
  { readonly ok: true; readonly packs: ReadonlyMap<FetchedPack, PreparedPack> } | PackFailure
> {
  const packs = new Map<FetchedPack, PreparedPack>();
  for (const { pack } of skills) {
    if (packs.has(pack)) continue;
    const signed = await packSigner(pack, options);
    if (!signed.ok) return signed;
    const { ok: _, ...known } = signed;
    packs.set(pack, { ...known, staging: place.folder() });
  }
  return { ok: true, packs };
}
