import { closeSync, constants, openSync, readFileSync } from "node:fs";
import type { AuditRecord } from "@skillwright/runtime";

const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The lines of a record that was verified. What follows the last newline is not written yet. */
export function readRecords(file: string): AuditRecord[] {
  const lines = readText(file).split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as AuditRecord);
}

/** Follows no link. */
export function readText(file: string): string {
  const descriptor = openSync(file, READ);
  try {
    return readFileSync(descriptor, "utf8");
  } finally {
    closeSync(descriptor);
  }
}
