import { isUtf8 } from "node:buffer";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArchive } from "../archive/read-archive.ts";
import type { PackFailure } from "../pack-failure.ts";
import type { PackLimits } from "../pack-limits.ts";
import { checkManifest } from "../pack/check-manifest.ts";
import { MANIFEST_FILE, type PackManifest } from "../pack/manifest.ts";
import { readManifest } from "../pack/read-manifest.ts";

export interface UnpackedPack {
  readonly ok: true;
  readonly manifest: PackManifest;
  /** The bytes of manifest.json: what is signed. */
  readonly manifestBytes: Buffer;
}

export interface UnpackPackOptions {
  readonly limits?: Partial<PackLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A pack whose content is that of its manifest, and `sha256:…` of the archive that was read. */
export async function unpackPack(
  pack: string,
  { limits, signal }: UnpackPackOptions,
): Promise<(UnpackedPack & { readonly integrity: string }) | PackFailure> {
  const destination = await mkdtemp(join(tmpdir(), "skillwright-verify-"));
  try {
    const read = await readArchive(pack, {
      destination,
      ...(limits !== undefined && { limits }),
      ...(signal !== undefined && { signal }),
    });
    if (!read.ok) return read;
    const unpacked = await readUnpacked(destination);
    return unpacked.ok ? { ...unpacked, integrity: read.integrity } : unpacked;
  } finally {
    await rm(destination, { recursive: true, force: true });
  }
}

/** The same for a pack that is unpacked already; the folder must be the caller's own. */
export async function readUnpacked(directory: string): Promise<UnpackedPack | PackFailure> {
  const manifestBytes = await readFile(join(directory, MANIFEST_FILE)).catch(() => undefined);
  if (manifestBytes === undefined) {
    return {
      ok: false,
      code: "lock-invalid",
      message: "the pack has no manifest.json, so there is nothing to hold its content against",
      hint: "make the pack with `skillwright pack`",
    };
  }
  // Bytes that are not text would be read as the same replacement, whatever they are.
  const text = isUtf8(manifestBytes) ? manifestBytes.toString("utf8") : "";
  const read = readManifest(text);
  if (!read.ok) return read;
  const checked = await checkManifest(directory, read.manifest);
  return checked.ok ? { ok: true, manifest: read.manifest, manifestBytes } : checked;
}
