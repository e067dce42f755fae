import { escapeHiddenInJson } from "@skillwright/core/internal";
import { createHmac, type KeyObject } from "node:crypto";
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
