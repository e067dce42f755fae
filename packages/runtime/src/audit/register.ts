import { makeFolder } from "@skillwright/core/internal";
import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { AuditError, type AuditEvent, orAuditError } from "./audit.ts";
import { auditPlace, type AuditPlace, waitForAuditLock } from "./audit-place.ts";
import { readHead, readHeadNote } from "./record-files.ts";
import { openWriter, type RecordWriter } from "./record-writer.ts";

// The register is a record of all records of a user: `audit/records.jsonl` in the state. A record
// gets a line when it begins and another when it is removed on purpose, so one that is gone without
// the second line was deleted. When the register itself is lost, it is rebuilt from the heads, which
// stays visible until a person accepts it.

type RecordMark = "record-created" | "record-pruned" | "record-accepted";

/** Makes the register, and the key, before the first record. */
export function startRegister(stateDirectory: string): void {
  const { head } = registerPlace(stateDirectory);
  if ((headOf(head)?.sequence ?? 0) === 0) appendToRegister(stateDirectory, []);
}

/** Adds a line about one record. Throws an `AuditError` when it cannot be written. */
export function register(stateDirectory: string, mark: RecordMark, place: AuditPlace): void {
  appendToRegister(stateDirectory, [markOf(mark, place)]);
}

export function markOf(event: RecordMark, { file, head }: AuditPlace): AuditEvent {
  const { log, sequence, hash } = headOf(head) ?? {};
  return { event, data: { file, log, sequence, hash } };
}

export function headOf(path: string) {
  try {
    return readHead(path);
  } catch {
    return undefined;
  }
}

export function registerPlace(stateDirectory: string): AuditPlace {
  const folder = join(stateDirectory, "audit");
  const file = join(folder, "records.jsonl");
  const { key } = auditPlace(file, stateDirectory);
  return { file, key, head: join(folder, "records.head"), lock: join(folder, "records.lock") };
}

export function appendToRegister(stateDirectory: string, events: readonly AuditEvent[]): void {
  const place = registerPlace(stateDirectory);
  orAuditError("audit-unwritable", `cannot make the folders of ${place.file}`, () =>
    makeFolder(dirname(place.head)),
  );
  const release = waitForAuditLock(place.lock);
  try {
    const writer = openRegister(place);
    try {
      writer.appendAll(events);
      writer.sync();
    } finally {
      writer.close();
    }
  } finally {
    release();
  }
}

/** Nothing in it is secret, and it is synced once per change. */
const OPTIONS = { redactor: { redact: (data: unknown) => data }, sync: "never" } as const;

function openRegister(place: AuditPlace): RecordWriter {
  let isFirst = isUnused(place) || (!existsSync(place.key) && headsBeside(place).length === 0);
  let reason = "it was missing";
  let writer: RecordWriter;
  try {
    writer = openWriter(place, OPTIONS);
  } catch (error) {
    if (!AuditError.isInstance(error) || error.code !== "audit-damaged") throw error;
    isFirst = false;
    reason = error.message;
    setAside(place);
    writer = openWriter(place, OPTIONS);
  }
  try {
    if (writer.sequence === 0) writer.appendAll(isFirst ? [STARTED] : rebuilt(place, reason));
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
}

const STARTED: AuditEvent = { event: "register-started" };

/** Begins a new register and keeps the damaged one as evidence. */
export function replaceRegister(stateDirectory: string): void {
  const place = registerPlace(stateDirectory);
  const release = waitForAuditLock(place.lock);
  try {
    setAside(place);
  } finally {
    release();
  }
}

function setAside({ file, head }: AuditPlace): void {
  if (existsSync(file)) renameSync(file, file.replace(/\.jsonl$/, `.damaged-${Date.now()}.jsonl`));
  rmSync(head, { force: true });
}

/** Whether it has no line yet because its first writer was killed. */
export function isUnused(place: AuditPlace): boolean {
  const isEmpty = lstatSync(place.file, { throwIfNoEntry: false })?.size === 0;
  return isEmpty && (headOf(place.head)?.sequence ?? 0) === 0 && headsBeside(place).length === 0;
}

function headsBeside({ file }: AuditPlace): readonly string[] {
  const folder = join(dirname(file), "heads");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith(".head")).map((name) => join(folder, name));
}

function rebuilt(place: AuditPlace, reason: string): AuditEvent[] {
  const marks = headsBeside(place).flatMap((head) => {
    const file = readHeadNote(head);
    return file === undefined ? [] : [markOf("record-created", { ...place, head, file })];
  });
  return [{ event: "register-restarted", data: { reason } }, ...marks];
}

export interface RegisterOptions {
  readonly stateDirectory: string;
}
