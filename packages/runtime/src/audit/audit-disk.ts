import { fdatasyncSync, ftruncateSync, writeSync } from "node:fs";

/** The calls that fail when a disk does. Tests pass their own. */
export interface AuditDisk {
  /** Gives how many bytes were written, perhaps fewer than asked for. At the end without a position. */
  write(descriptor: number, bytes: Uint8Array, position: number | null): number;
  sync(descriptor: number): void;
  truncate(descriptor: number, size: number): void;
}

export const realDisk: AuditDisk = {
  write: (descriptor, bytes, position) => writeSync(descriptor, bytes, 0, bytes.length, position),
  sync: fdatasyncSync,
  truncate: ftruncateSync,
};

/** Writes all bytes or throws. */
export function writeFully(
  disk: AuditDisk,
  descriptor: number,
  bytes: Uint8Array,
  position: number | null = null,
): void {
  let done = 0;
  while (done < bytes.length) {
    const at = position === null ? null : position + done;
    const written = disk.write(descriptor, bytes.subarray(done), at);
    if (written <= 0) throw new Error("nothing more could be written");
    done += written;
  }
}
