import { createHash } from "node:crypto";
import type { PackProgress } from "../fetched-pack.ts";
import type { PackFailure } from "../pack-failure.ts";
import { DEFAULT_LIMITS, type PackLimits } from "../pack-limits.ts";
import { type ArchiveFormat, detectFormat } from "./archive-format.ts";
import { allOrNothing } from "./entries/empty-folder.ts";
import { EntryGate } from "./entries/entry-gate.ts";
import { TreeWriter } from "./entries/tree-writer.ts";
import { readBytes } from "./read-bytes.ts";
import { canceled, refuse } from "./refuse.ts";
import { unpackTar, unpackTarGz } from "./tar/unpack-tar.ts";
import type { UnpackOptions } from "./unpack-options.ts";
import { unpackZip } from "./zip/unpack-zip.ts";

export interface ReadArchiveOptions {
  /** An existing empty folder that nobody else writes to. */
  readonly destination: string;
  readonly limits?: Partial<PackLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: PackProgress) => void) | undefined;
}

export interface ReadArchive {
  readonly ok: true;
  readonly format: ArchiveFormat;
  readonly files: number;
  readonly bytes: number;
  /** `sha256:…` of the archive. */
  readonly integrity: string;
  readonly notes: readonly string[];
}

export async function readArchive(
  file: string,
  { destination, signal, onProgress, ...given }: ReadArchiveOptions,
): Promise<ReadArchive | PackFailure> {
  const limits = { ...DEFAULT_LIMITS, ...given.limits };
  if (signal?.aborted === true) return canceled();
  const read = await readBytes(file, limits.archiveBytes);
  if (!read.ok) return read;
  const { bytes } = read;
  const format = detectFormat(bytes);
  if (typeof format !== "string") {
    return refuse(format.code, format.message, "Give a .zip, .skill, .tar.gz or .tgz file.");
  }
  return allOrNothing(destination, async () => {
    const gate = new EntryGate(limits);
    const writer = new TreeWriter(destination, gate.names.folders);
    try {
      const problem = await unpack(format, bytes, { gate, writer, limits, signal, onProgress });
      if (problem !== undefined) return problem;
    } finally {
      writer.close();
    }
    if (signal?.aborted === true) return canceled();
    const { files, notes } = gate;
    const integrity = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    return { ok: true, format, files, bytes: gate.bytes, integrity, notes };
  });
}

function unpack(
  format: ArchiveFormat,
  bytes: Buffer,
  options: UnpackOptions,
): Promise<PackFailure | undefined> {
  if (format === "zip") return unpackZip(bytes, options);
  return format === "tar" ? unpackTar(bytes, options) : unpackTarGz(bytes, options);
}
