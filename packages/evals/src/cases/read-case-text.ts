import { closeSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { openConfinedSync } from "@skillwright/core/internal";

/** The text of a file that is no link and not larger than this, or why it cannot be had. */
export function readCaseText(file: string, most: number): string | { readonly problem: string } {
  try {
    const opened = openConfinedSync(realpathSync(dirname(file)), [basename(file)]);
    if (!opened.ok) return { problem: `it cannot be read: ${opened.reason}` };
    try {
      if (opened.stats.size > most) return { problem: `it is larger than ${most} bytes` };
      return new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(opened.descriptor));
    } finally {
      closeSync(opened.descriptor);
    }
  } catch (error) {
    return { problem: `it cannot be read: ${error instanceof Error ? error.message : "unknown"}` };
  }
}
