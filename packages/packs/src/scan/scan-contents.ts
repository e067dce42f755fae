import type { ScanResult } from "./scan-finding.ts";
import { type ScannedFile, scanFiles } from "./scan-files.ts";
import { suppress, type Suppression } from "./suppressions.ts";
import { decodeText } from "./text/decode-text.ts";
import { headAndTail } from "./text/head-and-tail.ts";

/** Why a file without any text is not looked at. */
export const BINARY = "it is binary";

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** The same as `scanSkill` for files whose content is known. */
export function scanContents(
  files: Iterable<{ readonly path: string; readonly bytes: Uint8Array }>,
  suppressions: readonly Suppression[] = [],
  /** Where the skill comes from, when that is on this machine. */
  source?: string,
): ScanResult {
  const texts: ScannedFile[] = [];
  const skipped: { file: string; reason: string }[] = [];
  for (const { path, bytes: whole } of files) {
    const { bytes, leftOut } = headAndTail(whole);
    const text = textOf(path, bytes);
    if (text === undefined) skipped.push({ file: path, reason: BINARY });
    else texts.push({ path, text, leftOut });
  }
  return { ...suppress(scanFiles(texts), suppressions, source), files: texts.length, skipped };
}

export function textOf(path: string, bytes: Uint8Array): string | undefined {
  if (!bytes.includes(0)) {
    try {
      return UTF8.decode(bytes);
    } catch {
      // It has a few bad bytes, or is in no encoding of text at all.
    }
  }
  return decodeText(path, bytes);
}
