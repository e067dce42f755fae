import type { PackFailure } from "../pack-failure.ts";

/**
 * Whether a new version may replace an old one as far as its signer goes. Another key, or none any
 * more, is a failure until a person accepts it; a first signature is not.
 */
export function checkSigner(signers: {
  readonly previous?: string | undefined;
  readonly current?: string | undefined;
}): { readonly ok: true } | PackFailure {
  const { previous, current } = signers;
  if (previous === undefined || previous === current) return { ok: true };
  const now = current === undefined ? "it is not signed any more" : `now by ${current}`;
  return {
    ok: false,
    code: "signer-changed",
    message: `the pack was signed by ${previous}, ${now}`,
    hint: "ask the author whether the key was changed, then accept the new signer",
  };
}

/** Whoever replaces what was signed has to be the same, wherever it comes from. */
export function signerProblem(
  known: { readonly signer?: string } | undefined,
  fresh: { readonly signer?: string } | undefined,
  { acceptSigner }: { readonly acceptSigner?: boolean },
): PackFailure | undefined {
  if (known === undefined || acceptSigner === true) return undefined;
  const checked = checkSigner({ previous: known.signer, current: fresh?.signer });
  return checked.ok ? undefined : { ...checked, hint: `${checked.hint} with --accept-signer` };
}
