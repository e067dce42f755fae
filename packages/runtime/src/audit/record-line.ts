import { escapeHiddenInJson } from "@skillwright/core/internal";
import { createHmac, type KeyObject } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import type { AuditRecord } from "./audit.ts";

/** What is in a line that was read. */
export type ReadLine =
  | ({ readonly kind: "valid"; readonly sequence: number; readonly event: string } & Links)
  /** Looks like one of ours, but its hash is not that of its bytes. */
  | { readonly kind: "edited" }
  | { readonly kind: "foreign" };

interface Links {
  readonly previous: string;
  readonly hash: string;
}

/** Longer lines are never written, so that reading needs little memory. Without the newline. */
export const MAX_LINE_BYTES = 1024 * 1024;

const START =
  /^\{"schemaVersion":1,"sequence":(\d{1,16}),"time":"[^"]{1,40}","event":"([^"]{1,100})"/;
const START_BYTES = 200;
const END = /,"previous":"([0-9a-f]{64})","hash":"([0-9a-f]{64})"\}$/;
const END_BYTES = 153;
/** `,"hash":"…"}`: what follows the bytes that are hashed. */
const HASH_BYTES = 75;

/** The line of a record, newline included. Its hash covers its bytes, not what they mean. */
export function encodeRecord(
  record: Omit<AuditRecord, "hash">,
  key: KeyObject,
): { readonly line: Buffer; readonly hash: string } {
  const { schemaVersion, sequence, time, event, data, previous } = record;
  const fields = { schemaVersion, sequence, time, event, data: data ?? null, previous };
  const start = escapeHiddenInJson(JSON.stringify(fields)).slice(0, -1);
  const hash = createHmac("sha256", key).update(start).digest("hex");
  return { line: Buffer.from(`${start},"hash":"${hash}"}\n`), hash };
}

/** Reads a line without its newline. What is valid was written by the owner of the key. */
export function decodeLine(line: Buffer, key: KeyObject): ReadLine {
  const end = END.exec(line.toString("latin1", Math.max(0, line.length - END_BYTES)));
  const start = START.exec(line.toString("latin1", 0, START_BYTES));
  if (start === null && end === null) return { kind: "foreign" };
  if (start === null || end === null) return { kind: "edited" };
  const [, sequence = "", event = ""] = start;
  const [, previous = "", hash = ""] = end;
  const hashed = line.subarray(0, line.length - HASH_BYTES);
  if (createHmac("sha256", key).update(hashed).digest("hex") !== hash) return { kind: "edited" };
  return { kind: "valid", sequence: Number(sequence), event, previous, hash };
}

/** What the first line of a record names as the hash before it. */
export function firstHash(log: string, key: KeyObject): string {
  return createHmac("sha256", key).update(`skillwright-audit\n${log}`).digest("hex");
}

/** A line without its newline. */
export interface RawLine {
  /** Undefined when the line is longer than allowed. */
  readonly bytes: Buffer | undefined;
  /** Whether a newline follows. */
  readonly isWhole: boolean;
}

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * Reads lines as bytes, never holding more than one line and one chunk. The bytes are good until the
 * next lines are asked for.
 */
export async function* readRawLines(
  handle: FileHandle,
  maxLineBytes: number,
): AsyncGenerator<readonly RawLine[]> {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let rest: Buffer[] = [];
  let restBytes = 0;
  for (;;) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    const lines: RawLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end);
      const isTooLong = restBytes + piece.length > maxLineBytes;
      const bytes = rest.length === 0 ? piece : Buffer.concat([...rest, piece]);
      lines.push({ bytes: isTooLong ? undefined : bytes, isWhole: true });
      rest = [];
      restBytes = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      restBytes += chunk.length - start;
      if (restBytes > maxLineBytes) rest = [];
      else rest.push(Buffer.from(chunk.subarray(start)));
    }
    yield lines;
  }
  if (restBytes === 0) return;
  const isTooLong = restBytes > maxLineBytes;
  yield [{ bytes: isTooLong ? undefined : Buffer.concat(rest), isWhole: false }];
}
