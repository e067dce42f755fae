import { isUtf8 } from "node:buffer";
import type { PackFailure } from "../../pack-failure.ts";
import { invalidArchive } from "../refuse.ts";

export interface TarHeader {
  readonly ok: true;
  /** Undefined if it has a NUL inside or is not UTF-8, as where a long one was cut off. */
  readonly name: string | undefined;
  /** One character; `0` also for the NUL of old writers. */
  readonly type: string;
  readonly size: number;
  readonly mode: number;
}

export const BLOCK = 512;
const SUM = { start: 148, end: 156 };

/** Whether a block could start an archive: its sum is right. */
export function hasTarChecksum(block: Buffer): boolean {
  const written = readOctal(block, SUM.start, SUM.end);
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) {
    sum += i >= SUM.start && i < SUM.end ? 0x20 : (block[i] ?? 0);
  }
  return written === sum;
}

export function isZeroBlock(block: Buffer): boolean {
  return ZERO_BLOCK.equals(block);
}

const ZERO_BLOCK = Buffer.alloc(BLOCK);

export function parseTarHeader(block: Buffer): TarHeader | PackFailure {
  if (!hasTarChecksum(block)) return invalidArchive("has a header with a wrong checksum");
  const size = readOctal(block, 124, 136);
  if (size === undefined) return invalidArchive("has a header without a size that can be read");
  const type = block[156] === 0 ? "0" : String.fromCharCode(block[156] ?? 0);
  const last = readText(block.subarray(0, 100));
  // Only this magic has a prefix there; GNU keeps times in its place.
  const hasPrefix = block.toString("latin1", 257, 263) === "ustar\0";
  const prefix = hasPrefix ? readText(block.subarray(345, 500), false) : "";
  const isReadable = last !== undefined && prefix !== undefined;
  const whole = prefix === "" ? last : `${prefix}/${last}`;
  const name = isReadable ? whole : undefined;
  return { ok: true, name, type, size, mode: readOctal(block, 100, 108) ?? 0 };
}

/** Digits, then nothing but spaces and NULs. Larger numbers have another form, and are too large. */
function readOctal(block: Buffer, start: number, end: number): number | undefined {
  const text = block.toString("latin1", start, end);
  const digits = /^ *([0-7]+)[ \0]*$/.exec(text)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 8);
}

function readText(field: Buffer, mustEndThere = true): string | undefined {
  const end = field.indexOf(0);
  const text = end === -1 ? field : field.subarray(0, end);
  // Behind the end of a name another one could hide.
  if (end !== -1 && mustEndThere && field.subarray(end).some((byte) => byte !== 0))
    return undefined;
  return isUtf8(text) ? text.toString() : undefined;
}
