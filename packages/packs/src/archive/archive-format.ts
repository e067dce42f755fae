import { BLOCK, hasTarChecksum } from "./tar/tar-header.ts";
import { findEndRecord } from "./zip/locate-directory.ts";

export type ArchiveFormat = "zip" | "tar.gz" | "tar";

/** What the bytes are, whatever the file is called; else what is to be said about them. */
export function detectFormat(
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
