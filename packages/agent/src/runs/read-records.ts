import { closeSync, constants, openSync, readFileSync } from "node:fs";
import type { AuditRecord } from "@skillwright/runtime";

const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The lines of a record that was verified. What follows the last newline is not written yet. */
export function readRecords(file: string): AuditRecord[] {
  const descriptor = openSync(file, READ);
  try {
    const lines = readFileSync(descriptor, "utf8").split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as AuditRecord);
  } finally {
    closeSync(descriptor);
  }
}
