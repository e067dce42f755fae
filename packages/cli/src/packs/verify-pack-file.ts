import { resolve } from "node:path";
import { verifyPack } from "@skillwright/packs";
import { visibleLine } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { openPackSettings } from "@skillwright/app/internal";
import { inPieces, type ScopeOptions, usageFailure } from "./with-packs.ts";

export interface VerifyCommandOptions extends ScopeOptions {
  readonly key?: readonly string[];
  readonly requireSignature?: boolean;
  readonly signature?: string;
  /** Who must have signed with Sigstore: name, provider, and the file of keys that says so. */
  readonly identity?: string;
  readonly issuer?: string;
  readonly trustedRoot?: string;
}

type SigstoreOptions = NonNullable<Parameters<typeof verifyPack>[0]["sigstore"]>;

/** A pack against its manifest and signature. */
export async function verifyPackFile(
  pack: string,
  { signature, ...options }: VerifyCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const sigstore = sigstoreOf(options, console);
  const { limits, acceptance } = await openPackSettings(options, console);
  const isSignatureWanted = options.key !== undefined || acceptance.requireSignature === true;
  const verified = await inPieces(console, ({ signal }) =>
    verifyPack({
      pack,
      limits,
      trustedKeys: acceptance.trustedKeys,
      ...(acceptance.revokedKeys && { revokedKeys: acceptance.revokedKeys }),
      // A key that is given says who must have signed; configured ones say whose signature counts.
      unsigned: isSignatureWanted ? "refuse" : "accept",
      ...(signature !== undefined && { signature: resolve(console.cwd, signature) }),
      ...(sigstore !== undefined && { sigstore }),
      signal,
    }),
  );
  const { skills, signer, trusted, integrity, identity } = verified;
  if (console.json) {
    const listed = skills.map((skill) => ({ ...skill, status: "ok" }));
    const signed = { signer: signer ?? null, trusted, ...(identity && { identity }) };
    console.printJson({ skills: listed, problems: [], integrity, ...signed });
    return EXIT.done;
  }
  for (const { name, digest } of skills) {
    console.print(`${console.colors.green("ok".padEnd(8))} ${visibleLine(name)} ${digest}`);
  }
  const isKnown = trusted && (identity === undefined || acceptance.trustedKeys.length > 0);
  const by = [
    ...(signer === undefined ? [] : [`signed by ${signer}${isKnown ? "" : ", not a trusted key"}`]),
    ...(identity === undefined ? [] : [`signed by ${identity.subject} (${identity.issuer})`]),
  ];
  console.print(visibleLine(`${integrity} ${by.length === 0 ? "not signed" : by.join("; ")}`));
  return EXIT.done;
}

/** A Sigstore signature is only meaningful with an expected signer. */
function sigstoreOf(
  { identity: subject, issuer, trustedRoot }: VerifyCommandOptions,
  { cwd }: Console,
): SigstoreOptions | undefined {
  if (subject === undefined && issuer === undefined && trustedRoot === undefined) return undefined;
  if (subject === undefined || issuer === undefined || trustedRoot === undefined) {
    throw usageFailure("--identity, --issuer and --trusted-root belong together");
  }
  return { identity: { subject, issuer }, trustedRoot: resolve(cwd, trustedRoot) };
}
