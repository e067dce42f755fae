import { closeSync, readSync, realpathSync } from "node:fs";
import {
  readFile,
  type DirectoryEntry,
  openSettled,
  walkDirectory,
  checkOptions,
  type OptionKinds,
} from "@skillwright/core/internal";
import { BINARY, textOf } from "./scan-contents.ts";
import { decodeText } from "./text/decode-text.ts";
import { joinParts, MAX_FILE_BYTES, PART_BYTES } from "./text/head-and-tail.ts";
import type { ScanResult } from "./scan-finding.ts";
import { suppress, type Suppression } from "./suppressions.ts";
import { type ScannedFile, scanFiles, type ScanRuleSettings } from "./scan-files.ts";

export interface ScanOptions {
  /** Severity per rule id, or "off". */
  readonly rules?: ScanRuleSettings;
  /** Findings that a person accepted: see `readSuppressions`. */
  readonly suppressions?: readonly Suppression[];
  readonly signal?: AbortSignal;
}

interface Read {
  readonly text: string;
  readonly leftOut?: number;
}

type Skipped = ScanResult["skipped"][number];

const MAX_TOTAL_BYTES = 64 * 1024 * 1024;
const MAX_ENTRIES = 20_000;

const OPTIONS: OptionKinds<ScanOptions> = {
  rules: "object",
  suppressions: "list",
  signal: "object",
};

export async function scanSkill(directory: string, options: ScanOptions = {}): Promise<ScanResult> {
  checkOptions("scanSkill", options, OPTIONS);
  const { rules, suppressions = [], signal } = options;
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
    files.push({ path: entry.path, text: read.text, leftOut: read.leftOut ?? 0 });
  }
  const findings = scanFiles(files, rules === undefined ? {} : { rules });
  return { ...suppress(findings, suppressions, directory), files: files.length, skipped };
}

async function readEntry(
  directory: string,
  { path, kind, size }: DirectoryEntry,
): Promise<Read | { readonly reason: string }> {
  if (kind !== "file")
    return { reason: kind === "link" ? "it is a link" : "it is not a regular file" };
  if (size > MAX_FILE_BYTES) return readParts(directory, path);
  const read = await readFile({ directory }, path, { maxBytes: MAX_FILE_BYTES, bytes: true });
  if (!read.ok) return { reason: read.message };
  if (read.kind === "text") return { text: read.text };
  const text = read.bytes === undefined ? undefined : decodeText(path, read.bytes);
  return text === undefined ? { reason: BINARY } : { text };
}

/** The start and the end of a file that is too large. */
async function readParts(
  directory: string,
  path: string,
): Promise<Read | { readonly reason: string }> {
  const opened = await openSettled(realpathSync.native(directory), path.split("/"));
  if (!opened.ok) return { reason: `it cannot be read (${opened.errorCode ?? opened.reason})` };
  const { descriptor } = opened;
  const { size } = opened.stats;
  try {
    const [head, tail] = [0, Math.max(PART_BYTES, size - PART_BYTES)].map((start) => {
      const bytes = Buffer.alloc(PART_BYTES);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, PART_BYTES, start));
    }) as [Buffer, Buffer];
    const { bytes, leftOut } = joinParts(head, tail, size);
    const text = textOf(path, bytes);
    return text === undefined ? { reason: BINARY } : { text, leftOut };
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    return { reason: error.message };
  } finally {
    closeSync(descriptor);
  }
}
