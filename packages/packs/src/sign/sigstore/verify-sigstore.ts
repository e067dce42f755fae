import { createHash } from "node:crypto";
import { quoteName } from "@skillwright/core/internal";
import type { PackFailure } from "../../pack-failure.ts";
import { DEFAULT_LIMITS } from "../../pack-limits.ts";
import { readSmallFile } from "../read-small-file.ts";
import { loadSigstore, type SigstoreLibraries } from "./load-sigstore.ts";
import type { SigstoreIdentity, SigstoreOptions } from "./sigstore-options.ts";
import { statementNames } from "./statement-names.ts";

const MAX_JSON_BYTES = 4 * 1024 * 1024;

/**
 * Checks a Sigstore bundle of the archive itself, offline: certificate, its log, the transparency
 * log, the signature, and that the signer is exactly the one that is asked for. `integrity` is the
 * digest of the archive as it was unpacked; the file must still be that one.
 */
export async function verifySigstore(
  pack: string,
  integrity: string,
  options: SigstoreOptions,
  load: () => Promise<SigstoreLibraries | undefined> = loadSigstore,
): Promise<(SigstoreIdentity & { readonly ok: true }) | PackFailure> {
  const { bundle = `${pack}.sigstore.json`, trustedRoot, identity } = options;
  if (identity.issuer === "" || identity.subject === "") {
    const message = "a Sigstore signature is only worth something with an issuer and a subject";
    return { ok: false, code: "source-invalid", message };
  }
  const libraries = await load();
  if (libraries === undefined) return librariesMissing();
  const bundleJson = readJson(bundle, "the Sigstore bundle");
  if ("ok" in bundleJson) return bundleJson;
  const rootJson = readJson(trustedRoot, "the trusted root");
  if ("ok" in rootJson) return rootJson;
  const archive = readSmallFile(pack, Math.max(DEFAULT_LIMITS.archiveBytes, 2 ** 30));
  if (archive === undefined || "ok" in archive) return invalid("the pack cannot be read again");
  const sha256 = createHash("sha256").update(archive).digest("hex");
  if (`sha256:${sha256}` !== integrity) return invalid("the pack was changed while it was read");
  try {
    return verifyBundle(libraries, { bundleJson, rootJson, archive, sha256, identity });
  } catch (error) {
    // The libraries throw for everything that is wrong with what they are given.
    return invalid(error instanceof Error ? error.message : String(error));
  }
}

interface LogEntry {
  readonly inclusionProof?:
    | { readonly checkpoint?: { readonly envelope: string } | undefined }
    | undefined;
}

interface Evidence {
  readonly bundleJson: { readonly json: unknown };
  readonly rootJson: { readonly json: unknown };
  readonly archive: Buffer;
  readonly sha256: string;
  readonly identity: SigstoreIdentity;
}

function verifyBundle(
  { bundle: bundles, verify, readTrustedRoot }: SigstoreLibraries,
  { bundleJson, rootJson, archive, sha256, identity }: Evidence,
): (SigstoreIdentity & { readonly ok: true }) | PackFailure {
  const bundle = bundles.bundleFromJSON(bundleJson.json);
  if (!bundle.verificationMaterial.tlogEntries.every(hasPlainNames)) {
    return invalid("a checkpoint is signed by a name that is none");
  }
  const material = verify.toTrustMaterial(readTrustedRoot(rootJson.json));
  const verifier = new verify.Verifier(material);
  const signer = verifier.verify(verify.toSignedEntity(bundle, archive));
  // An attestation is about what its text names; the library has checked only who wrote it.
  if (bundle.content.$case === "dsseEnvelope") {
    const { payloadType, payload } = bundle.content.dsseEnvelope;
    if (!statementNames(payloadType, payload, sha256)) {
      return invalid("the attestation is not about this pack");
    }
  }
  // The library takes a name for a pattern, which would match more than it says.
  const issuer = signer.identity?.extensions?.issuer;
  const subject = signer.identity?.subjectAlternativeName;
  if (issuer === identity.issuer && subject === identity.subject) {
    return { ok: true, issuer, subject };
  }
  return {
    ok: false,
    code: "signer-unknown",
    message: `the pack was signed by ${shown(subject)} of ${shown(issuer)}, not by ${shown(identity.subject)} of ${shown(identity.issuer)}`,
  };
}

/**
 * The library takes the names on a checkpoint for patterns, too. One made to be slow would keep it
 * busy for ever, so only names that are plain as patterns get there.
 */
function hasPlainNames(entry: LogEntry): boolean {
  const envelope = entry.inclusionProof?.checkpoint?.envelope ?? "";
  const names = Array.from(envelope.matchAll(/\u2014 (\S+)/g), ([, name = ""]) => name);
  return names.every((name) => /^[\w.:/-]{1,255}$/.test(name));
}

function readJson(file: string, what: string): { readonly json: unknown } | PackFailure {
  const content = readSmallFile(file, MAX_JSON_BYTES);
  if (content === undefined) {
    const message = `${what} ${JSON.stringify(file)} does not exist`;
    return { ok: false, code: "source-missing", message };
  }
  if ("ok" in content) return content;
  try {
    return { json: JSON.parse(content.toString("utf8")) as unknown };
  } catch {
    return invalid(`${what} is not JSON`);
  }
}

function librariesMissing(): PackFailure {
  return {
    ok: false,
    code: "program-missing",
    message: "Sigstore bundles need libraries that are not installed",
    hint: "npm install @sigstore/bundle@4 @sigstore/verify@3",
  };
}

function invalid(reason: string): PackFailure {
  const message = `the Sigstore signature is not valid: ${reason}`;
  return { ok: false, code: "signature-invalid", message };
}

function shown(text: string | undefined): string {
  return text === undefined ? "nobody" : quoteName(text, 200);
}
