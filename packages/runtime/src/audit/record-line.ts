import { escapeHiddenInJson } from "@skillwright/core/internal";
import { createHmac, type KeyObject } from "node:crypto";
import type { AuditRecord } from "./audit.ts";

/** Longer lines are never written, so that reading needs little memory. Without the newline. */
export const MAX_LINE_BYTES = 1024 * 1024;

const START = Buffer.from('{"schemaVersion":1,"sequence":');
const END = /^,"hash":"([0-9a-f]{64})"\}$/;
/** What follows the bytes that are hashed. */
const END_BYTES = `,"hash":"${"0".repeat(64)}"}`.length;

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

/**
 * Reads a line without its newline. Returns the record when the owner of the key wrote it. Else it was
 * edited if it looks like one of ours, and is foreign if not.
 */
export function decodeLine(line: Buffer, key: KeyObject): AuditRecord | "edited" | "foreign" {
  if (line.length > MAX_LINE_BYTES) return "foreign";
  const at = Math.max(0, line.length - END_BYTES);
  const begins = line.subarray(0, START.length).equals(START);
  const hash = END.exec(line.toString("latin1", at))?.[1];
  if (!begins && hash === undefined) return "foreign";
  const isOwn = createHmac("sha256", key).update(line.subarray(0, at)).digest("hex") === hash;
  return begins && isOwn ? (JSON.parse(line.toString("utf8")) as AuditRecord) : "edited";
}

/** What the first line of a record names as the hash before it. */
export function firstHash(log: string, key: KeyObject): string {
  return createHmac("sha256", key).update(`skillwright-audit\n${log}`).digest("hex");
}
