import { isUtf8 } from "node:buffer";
import type { PackFailure } from "../../pack-failure.ts";
import { refuse } from "../refuse.ts";

/** What an extended header says of the entry behind it. */
export interface ExtendedHeader {
  readonly ok: true;
  readonly name?: string;
  readonly size?: number;
}

/** Long enough for any path, and for what systems keep beside a file. */
export const MAX_EXTENDED_BYTES = 64 * 1024;

/** `x` and `g` are of pax, `L` of GNU. */
export function readExtendedHeader(type: string, body: Buffer): ExtendedHeader | PackFailure {
  return type === "L" ? readLongName(body) : readPax(body, type === "g");
}

function readLongName(body: Buffer): ExtendedHeader | PackFailure {
  const text = body.at(-1) === 0 ? body.subarray(0, -1) : body;
  if (!isUtf8(text)) return refuse("archive-unsafe", "the archive has a name that is not UTF-8");
  return { ok: true, name: text.toString() };
}

/** Records of `length key=value\n`. Each must be whole, and none may say what matters twice. */
function readPax(body: Buffer, isGlobal: boolean): ExtendedHeader | PackFailure {
  const found = new Map<string, string>();
  for (let start = 0; start < body.length;) {
    const digits = /^([1-9]\d{0,5}) /.exec(body.toString("latin1", start, start + 8))?.[1];
    const end = start + Number(digits);
    const isWhole = digits !== undefined && end <= body.length && body[end - 1] === 0x0a;
    const record = isWhole ? body.subarray(start + digits.length + 1, end - 1) : undefined;
    const equals = record?.indexOf("=") ?? -1;
    if (record === undefined || equals < 1) return damaged("is damaged");
    const key = record.toString("latin1", 0, equals);
    if (key.startsWith("GNU.sparse.")) {
      return refuse("archive-unsafe", "the archive has a sparse file");
    }
    if (MATTERING.has(key)) {
      if (isGlobal || found.has(key)) return damaged(`gives a ${key} for more than one entry`);
      const value = record.subarray(equals + 1);
      if (!isUtf8(value)) return damaged(`has a ${key} that is not UTF-8`);
      found.set(key, value.toString());
    }
    start = end;
  }
  return toHeader(found);
}

const MATTERING: ReadonlySet<string> = new Set(["path", "size", "linkpath"]);

function toHeader(found: ReadonlyMap<string, string>): ExtendedHeader | PackFailure {
  const name = found.get("path");
  const digits = found.get("size");
  if (digits !== undefined && !/^\d{1,15}$/.test(digits)) return damaged("has no number as size");
  return {
    ok: true,
    ...(name !== undefined && { name }),
    ...(digits !== undefined && { size: Number(digits) }),
  };
}

function damaged(problem: string): PackFailure {
  return refuse("archive-invalid", `an extended header of the archive ${problem}`);
}
