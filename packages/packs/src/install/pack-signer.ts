import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { FetchedPack } from "../fetched-pack.ts";
import type { PackFailure } from "../pack-failure.ts";
import { MANIFEST_FILE, renderManifest } from "../pack/manifest.ts";
import type { SignedManifest } from "../sign/signed-manifest.ts";
import { verifyUnpacked } from "../sign/verify-pack.ts";
import type { Acceptance } from "./pack-session.ts";

type Signed =
  | { readonly ok: true; readonly signed?: SignedManifest; readonly notes: readonly string[] }
  | PackFailure;

const SIGNATURE_BEGIN = "-----BEGIN SSH SIGNATURE-----";
const MAX_SIGNATURE_BYTES = 16 * 1024;

/**
 * Who signed a pack, if anybody. A pack with a manifest must be what the manifest says, signed or
 * not, so that what was damaged on its way is not installed.
 */
export async function packSigner(fetched: FetchedPack, options: Acceptance): Promise<Signed> {
  const { trustedKeys = [], requireSignature = false } = options;
  if (requireSignature && trustedKeys.length === 0) return nobodyTrusted();
  const unsigned = requireSignature ? "refuse" : "accept";
  const directory = contentOf(fetched);
  if (fetched.archive === undefined || !hasManifest(fetched, directory)) {
    return requireSignature ? notSigned() : { ok: true, notes: [] };
  }
  const found = await signatureOf(fetched, fetched.archive, trustedKeys.length > 0);
  if (!found.ok) return found;
  const { text: signature, notes } = found;
  if (signature === undefined && requireSignature) return notSigned();
  const verified = await verifyUnpacked({
    directory,
    trustedKeys,
    ...(options.revokedKeys && { revokedKeys: options.revokedKeys }),
    unsigned,
    ...(signature !== undefined && { signature }),
  });
  if (!verified.ok) return verified;
  const { signer, trusted, manifest } = verified;
  if (signer === undefined || signature === undefined) return { ok: true, notes };
  const note = trusted ? `signed by ${signer}` : `signed by ${signer}, which is not a trusted key`;
  const signed = { signer, manifest: renderManifest(manifest), signature };
  return { ok: true, signed, notes: [note] };
}

/**
 * Others name files so too, and browsers know another kind. Beside a skill at the root it may be
 * the skill's own, so only one that is a pack's counts; elsewhere also what was cut off or damaged.
 */
function hasManifest({ skills }: FetchedPack, directory: string): boolean {
  let text: string;
  try {
    text = readFileSync(join(directory, MANIFEST_FILE), "utf8");
  } catch {
    return false;
  }
  if (skills.some(({ path }) => path === "")) return isPackManifest(text);
  return text.includes('"schemaVersion"') || text.includes('"skills"');
}

function isPackManifest(text: string): boolean {
  try {
    const value = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    return value?.["schemaVersion"] === 1 && Array.isArray(value["skills"]);
  } catch {
    return false;
  }
}

/** Where the pack was unpacked to: above all of its skills. */
function contentOf({ skills, directory }: FetchedPack): string {
  const [first] = skills;
  if (first === undefined) return directory;
  const depth = first.path === "" ? 0 : first.path.split("/").length;
  return resolve(first.directory, ...Array.from({ length: depth }, () => ".."));
}

interface FoundSignature {
  readonly ok: true;
  readonly text?: string;
  readonly notes: readonly string[];
}

/** Where it matters who signed, a signature that cannot be had is not the same as none. */
async function signatureOf(
  { fetchSignature }: FetchedPack,
  archive: string,
  matters: boolean,
): Promise<FoundSignature | PackFailure> {
  if (fetchSignature === undefined) return { ok: true, ...signatureBeside(archive), notes: [] };
  const answer = await fetchSignature();
  if (!answer.ok) {
    if (answer.code === "canceled") return answer;
    const message = `the signature of the pack cannot be had: ${answer.message}`;
    if (matters) return { ...answer, code: "source-unreachable", message };
    return { ok: true, notes: [message] };
  }
  const { text } = answer;
  if (text === undefined) return { ok: true, notes: [] };
  if (text.includes(SIGNATURE_BEGIN)) return { ok: true, text, notes: [] };
  return { ok: true, notes: ["what lies beside the pack as its .sig is no signature"] };
}

/** One that is too long is none that can be checked, and refused as such. */
function signatureBeside(archive: string): { readonly text?: string } {
  const file = `${archive}.sig`;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return {};
  return { text: stats.size > MAX_SIGNATURE_BYTES ? "" : readFileSync(file, "utf8") };
}

/** Anybody can sign: a signature says something only about a key that is known. */
function nobodyTrusted(): PackFailure {
  return {
    ok: false,
    code: "signer-unknown",
    message: "a signature is required, and no key is trusted",
    hint: "name the author's key",
  };
}

function notSigned(): PackFailure {
  return {
    ok: false,
    code: "signature-invalid",
    message: "the pack is not signed, and a signature is required",
    hint: "ask the author for a signed pack, or do not require signatures",
  };
}
