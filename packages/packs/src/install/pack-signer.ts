import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { FetchedPack } from "../fetched-pack.ts";
import type { PackFailure } from "../pack-failure.ts";
import { verifyUnpacked } from "../sign/verify-pack.ts";
import type { Acceptance, PackSession } from "./pack-session.ts";

type Signed =
  | { readonly ok: true; readonly signer?: string; readonly notes: readonly string[] }
  | PackFailure;

const MANIFEST = "manifest.json";
const MAX_SIGNATURE_BYTES = 16 * 1024;

/**
 * Who signed a pack, if anybody. A pack with a manifest must be what the manifest says, signed or
 * not, so that what was damaged on its way is not installed.
 */
export async function packSigner(
  fetched: FetchedPack,
  options: Acceptance & Pick<PackSession, "fetch" | "signal">,
): Promise<Signed> {
  const { trustedKeys = [], requireSignature = false } = options;
  if (requireSignature && trustedKeys.length === 0) return nobodyTrusted();
  const unsigned = requireSignature ? "refuse" : "accept";
  const directory = contentOf(fetched);
  if (fetched.archive === undefined || !hasManifest(fetched, directory)) {
    return requireSignature ? notSigned() : { ok: true, notes: [] };
  }
  const signature =
    fetched.origin.type === "url"
      ? await signatureAt(`${fetched.origin.source}.sig`, options)
      : signatureBeside(fetched.archive);
  if (signature === undefined && requireSignature) return notSigned();
  const verified = await verifyUnpacked({
    directory,
    trustedKeys,
    unsigned,
    ...(signature !== undefined && { signature }),
  });
  if (!verified.ok) return verified;
  const { signer, trusted } = verified;
  if (signer === undefined) return { ok: true, notes: [] };
  const note = trusted ? `signed by ${signer}` : `signed by ${signer}, which is not a trusted key`;
  return { ok: true, signer, notes: [note] };
}

/** Others name files so too: a skill at the root has its own, and browsers know another kind. */
function hasManifest({ skills }: FetchedPack, directory: string): boolean {
  if (skills.some(({ path }) => path === "")) return false;
  let text: string;
  try {
    text = readFileSync(join(directory, MANIFEST), "utf8");
  } catch {
    return false;
  }
  // What was cut off or damaged is still known for what it was.
  return text.includes('"schemaVersion"') || text.includes('"skills"');
}

/** Where the pack was unpacked to: above all of its skills. */
function contentOf({ skills, directory }: FetchedPack): string {
  const [first] = skills;
  if (first === undefined) return directory;
  const depth = first.path === "" ? 0 : first.path.split("/").length;
  return resolve(first.directory, ...Array.from({ length: depth }, () => ".."));
}

/** What lies beside a pack on the web; whatever goes wrong, there is none. */
async function signatureAt(
  url: string,
  { fetch = globalThis.fetch, signal }: Pick<PackSession, "fetch" | "signal">,
): Promise<string | undefined> {
  if (url.includes("?") || url.includes("#")) return undefined;
  try {
    const response = await fetch(url, { redirect: "error", ...(signal && { signal }) });
    const length = Number(response.headers.get("content-length") ?? 0);
    if (!response.ok || length > MAX_SIGNATURE_BYTES) {
      await response.body?.cancel();
      return undefined;
    }
    return await beginningOf(response);
  } catch {
    return undefined;
  }
}

async function beginningOf({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_SIGNATURE_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function signatureBeside(archive: string): string | undefined {
  const file = `${archive}.sig`;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true || stats.size > MAX_SIGNATURE_BYTES) return undefined;
  return readFileSync(file, "utf8");
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
