import {
  errorCode,
  readRegularFile,
  UnusableFileError,
  checkOptions,
  type OptionKinds,
} from "@skillwright/core/internal";
import { createHash } from "node:crypto";
import type { PackProgress } from "../fetched-pack.ts";
import type { PackFailure } from "../pack-failure.ts";
import { DEFAULT_LIMITS, type PackLimits } from "../pack-limits.ts";
import { allOrNothing } from "./entries/empty-folder.ts";
import { EntryGate } from "./entries/entry-gate.ts";
import { TreeWriter } from "./entries/tree-writer.ts";
import { canceled, refuse } from "./refuse.ts";
import { BLOCK, hasTarChecksum } from "./tar/tar-header.ts";
import { unpackTar, unpackTarGz } from "./tar/unpack-tar.ts";
import type { UnpackOptions } from "./unpack-options.ts";
import { findEndRecord } from "./zip/locate-directory.ts";
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

const OPTIONS: OptionKinds<ReadArchiveOptions> = {
  destination: "string",
  limits: "object",
  signal: "object",
  onProgress: "function",
};

export async function readArchive(
  file: string,
  options: ReadArchiveOptions,
): Promise<ReadArchive | PackFailure> {
  checkOptions("readArchive", options, OPTIONS, ["destination"]);
  const { destination, signal, onProgress, ...given } = options;
  const limits = { ...DEFAULT_LIMITS, ...given.limits };
  if (signal?.aborted === true) return canceled();
  const read = readBytes(file, limits.archiveBytes);
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

/** The whole file, so that what is hashed and what is unpacked are the same. */
function readBytes(
  file: string,
  maxBytes: number,
): { readonly ok: true; readonly bytes: Buffer } | PackFailure {
  try {
    return { ok: true, bytes: readRegularFile(file, { maxBytes, follow: true }) };
  } catch (error) {
    if (error instanceof UnusableFileError) {
      return error.reason === "too-large"
        ? refuse("limit-exceeded", `the archive has more than ${maxBytes} bytes`)
        : refuse("source-invalid", `${JSON.stringify(file)} is not a file`);
    }
    const code = errorCode(error) ?? "unknown";
    return code === "ENOENT" || code === "ENOTDIR"
      ? refuse("source-missing", `there is no file ${JSON.stringify(file)}`)
      : refuse("source-unreachable", `${JSON.stringify(file)} cannot be read (${code})`);
  }
}

type ArchiveFormat = "zip" | "tar.gz" | "tar";

/** What the bytes are, whatever the file is called; else what is to be said about them. */
function detectFormat(
  bytes: Buffer,
):
  | ArchiveFormat
  | { readonly code: "archive-invalid" | "archive-unsafe"; readonly message: string } {
  const start = bytes.toString("latin1", 0, 6);
  if (start.startsWith("PK\x03\x04") || start.startsWith("PK\x05\x06")) return "zip";
  if (start.startsWith("\x1f\x8b")) return "tar.gz";
  if (bytes.length >= BLOCK && hasTarChecksum(bytes.subarray(0, BLOCK))) return "tar";
  if (findEndRecord(bytes) !== undefined) {
    const message = "the file has something before the archive, such as a program that unpacks it";
    return { code: "archive-unsafe", message };
  }
  const other = OTHERS.find(([magic]) => start.startsWith(magic))?.[1];
  const message =
    other === undefined ? "the file is neither a zip nor a tar" : `the file is ${other}`;
  return { code: "archive-invalid", message };
}

const OTHERS = [
  ["\xfd7zXZ", "packed with xz"],
  ["BZh", "packed with bzip2"],
  ["\x28\xb5\x2f\xfd", "packed with zstd"],
  ["7z\xbc\xaf", "a 7-Zip archive"],
  ["Rar!", "a RAR archive"],
] as const;
