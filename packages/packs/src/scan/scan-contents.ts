import type { ScanResult } from "./scan-finding.ts";
import { type ScannedFile, scanFiles, type ScanFilesOptions } from "./scan-files.ts";
import { decodeText } from "./text/decode-text.ts";

/** The largest files that real skills have as text are below a megabyte. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** The same as `scanSkill` for files whose content is known. */
export function scanContents(
  files: Iterable<{ readonly path: string; readonly bytes: Uint8Array }>,
  options: ScanFilesOptions = {},
): ScanResult {
  const texts: ScannedFile[] = [];
  const skipped: { file: string; reason: string }[] = [];
  for (const { path, bytes } of files) {
    const text = bytes.length > MAX_FILE_BYTES ? undefined : textOf(path, bytes);
    if (text !== undefined) texts.push({ path, text });
    else
      skipped.push({
        file: path,
        reason: bytes.length > MAX_FILE_BYTES ? tooLarge() : "it is binary",
      });
  }
  return { findings: scanFiles(texts, options), files: texts.length, skipped };
}

function textOf(path: string, bytes: Uint8Array): string | undefined {
  if (!bytes.includes(0)) {
    try {
      return UTF8.decode(bytes);
    } catch {
      // It has a few bad bytes, or is in no encoding of text at all.
    }
  }
  return decodeText(path, bytes);
}

function tooLarge(): string {
  return `it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`;
}
