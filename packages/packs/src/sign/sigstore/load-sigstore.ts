import type * as BundleModule from "@sigstore/bundle";
import type * as VerifyModule from "@sigstore/verify";
import { createRequire } from "node:module";

type TrustedRoot = Parameters<typeof VerifyModule.toTrustMaterial>[0];

/** The parts of the optional libraries that are used. */
export interface SigstoreLibraries {
  readonly bundle: typeof BundleModule;
  readonly verify: typeof VerifyModule;
  readonly readTrustedRoot: (json: unknown) => TrustedRoot;
}

/** Undefined when they are not installed. */
export async function loadSigstore(): Promise<SigstoreLibraries | undefined> {
  try {
    const [bundle, verify] = await Promise.all([
      import("@sigstore/bundle"),
      import("@sigstore/verify"),
    ]);
    // A dependency of theirs, not of ours: found from where they lie.
    const near = createRequire(createRequire(import.meta.url).resolve("@sigstore/verify"));
    const specs = near("@sigstore/protobuf-specs") as {
      readonly TrustedRoot: { fromJSON(json: unknown): TrustedRoot };
    };
    return { bundle, verify, readTrustedRoot: (json) => specs.TrustedRoot.fromJSON(json) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") return undefined;
    throw error;
  }
}
