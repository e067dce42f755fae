import { escapeHiddenInJson } from "@skillwright/core/internal";
import { AuditError } from "@skillwright/runtime";
import { MAX_TEXT } from "./redact-fields.ts";

/** A line of a record has at most 1 MiB; what is longer would be cut, and the run is made of it. */
const MAX_BYTES = 1_000_000;
/** No character takes more bytes once it is written. */
const MAX_BYTES_OF_CHARACTER = 6;

/** Throws before an event is written that would not be in the record as a whole. */
export function requireRoom(event: string, data: object): void {
  const text = JSON.stringify(data);
  if (text.length > MAX_TEXT) {
    for (const [field, value] of Object.entries(data)) requireField(`${event}.${field}`, value);
  }
  if (text.length * MAX_BYTES_OF_CHARACTER <= MAX_BYTES) return;
  const bytes = bytesOf(text);
  if (bytes <= MAX_BYTES) return;
  throw tooLarge(`${event} has ${bytes} bytes`);
}

/** What a value takes in a record. */
export function recordedBytes(value: unknown): number {
  return bytesOf(JSON.stringify(value));
}

function bytesOf(json: string): number {
  // What a record escapes, though JSON would not, and a little more.
  const escaped = escapeHiddenInJson(json.replaceAll(/[\u2000-\u206f\ufeff]/g, "\\u0000"));
  return Buffer.byteLength(escaped);
}

/** What a redactor would cut. */
function requireField(name: string, value: unknown): void {
  const { length } = typeof value === "string" ? value : JSON.stringify(value ?? null);
  if (length > MAX_TEXT) throw tooLarge(`${name} has ${length} characters`);
}

function tooLarge(what: string): AuditError {
  return new AuditError("audit-unwritable", `${what}, too large to be recorded`, {
    hint: "Use a shorter request, or fewer and smaller tools and skills.",
  });
}
