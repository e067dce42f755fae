import { type DirectoryEntry, readFile, walkDirectory } from "@skillwright/core";
import { decodeText } from "./text/decode-text.ts";
import type { ScanResult } from "./scan-finding.ts";
import { type ScannedFile, scanFiles, type ScanRuleSettings } from "./scan-files.ts";

export interface ScanOptions {
  /** Severity per rule id, or "off". */
  readonly rules?: ScanRuleSettings;
  readonly signal?: AbortSignal;
}

type Skipped = ScanResult["skipped"][number];

/** The largest files that real skills have as text are below a megabyte. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 20_000;

/**
 * Looks through the texts and scripts of a skill's folder. Changes nothing and runs nothing; links are
 * not followed. Throws when the folder cannot be read, and the reason of the signal when it is aborted.
 */
export async function scanSkill(
  directory: string,
  { rules, signal }: ScanOptions = {},
): Promise<ScanResult> {
  signal?.throwIfAborted();
  const { entries, truncated, unreadable } = await walkDirectory(directory, {
    maxEntries: MAX_ENTRIES,
  });
  const files: ScannedFile[] = [];
  const skipped: Skipped[] = unreadable.map((file) => ({
    file,
    reason: "the folder cannot be read",
  }));
  if (truncated)
    skipped.push({
      file: "",
      reason: `there are more than ${MAX_ENTRIES} files, or folders too deep`,
    });
  let total = 0;
  for (const entry of entries) {
    signal?.throwIfAborted();
    const read =
      total > MAX_TOTAL_BYTES
        ? { reason: "there is too much to look at" }
        : await readEntry(directory, entry);
    if ("reason" in read) {
      skipped.push({ file: entry.path, reason: read.reason });
      continue;
    }
    total += read.text.length;
    files.push({ path: entry.path, text: read.text });
  }
  const findings = scanFiles(files, rules === undefined ? {} : { rules });
  return { findings, files: files.length, skipped };
}

async function readEntry(
  directory: string,
  { path, kind, size }: DirectoryEntry,
): Promise<{ readonly text: string } | { readonly reason: string }> {
  if (kind !== "file")
    return { reason: kind === "link" ? "it is a link" : "it is no regular file" };
  if (size > MAX_FILE_BYTES)
    return { reason: `it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB` };
  const read = await readFile({ directory }, path, { maxBytes: MAX_FILE_BYTES, bytes: true });
  if (!read.ok) return { reason: read.message };
  if (read.kind === "text") return { text: read.text };
  const text = read.bytes === undefined ? undefined : decodeText(path, read.bytes);
  return text === undefined ? { reason: "it is binary" } : { text };
}
