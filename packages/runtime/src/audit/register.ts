import { errorCode, makeFolder } from "@skillwright/core/internal";
import { existsSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import {
  type Audit,
  AuditError,
  type AuditEvent,
  auditPlace,
  type AuditPlace,
  type AuditRecord,
  type Head,
  orAuditError,
  readHead,
  readHeadNote,
  realFolder,
  takeAuditLock,
} from "./audit.ts";
import { RecordWriter, type RecordWriterOptions } from "./record-writer.ts";
import type { Redactor } from "./redaction/redactor.ts";
import { type AuditVerification, readAudit, verifyAudit } from "./verify-audit.ts";

// The register is a record of all records of a user: `audit/records.jsonl` in the state. A record
// gets a line when it begins and another when it is removed on purpose, so one that is gone without
// the second line was deleted. When the register itself is lost, it is rebuilt from the heads, which
// stays visible until a person accepts it.

interface RegisterOptions {
  readonly stateDirectory: string;
}

interface MissingAudit {
  readonly file: string;
  /** How many records it held, when its head is still there. */
  readonly records?: number;
}

export interface AuditList {
  /** Deleted, but not by `removeAudit`. */
  readonly missing: readonly MissingAudit[];
  /** How many were removed by `removeAudit` or `forgetAudit`. */
  readonly pruned: number;
  /** What is wrong with the register: records may be missing that it does not name. */
  readonly problems: readonly string[];
}

type RecordMark = "record-created" | "record-pruned" | "record-accepted";

/** Makes the register, and the key, before the first record. */
function startRegister(stateDirectory: string): void {
  const { head } = registerPlace(stateDirectory);
  if ((headOf(head)?.sequence ?? 0) === 0) register(stateDirectory);
}

/** A line about one record. */
function markOf(event: RecordMark, { file, head }: AuditPlace): AuditEvent {
  const { log, sequence, hash } = headOf(head) ?? {};
  return { event, data: { file, log, sequence, hash } };
}

function headOf(path: string): Head | undefined {
  try {
    return readHead(path);
  } catch {
    return undefined;
  }
}

function registerPlace(stateDirectory: string): AuditPlace {
  const folder = join(stateDirectory, "audit");
  const file = join(folder, "records.jsonl");
  const { key } = auditPlace(file, stateDirectory);
  return { file, key, head: join(folder, "records.head"), lock: join(folder, "records.lock") };
}

/** Throws an `AuditError` when the lines cannot be written. */
function register(stateDirectory: string, ...events: readonly AuditEvent[]): void {
  withRegister(stateDirectory, (place) => {
    const writer = openRegister(place);
    try {
      writer.appendAll(events);
      writer.sync();
    } finally {
      writer.close();
    }
  });
}

/** The register is written for milliseconds only. */
const PATIENCE_MS = 30_000;

function withRegister(stateDirectory: string, operation: (place: AuditPlace) => void): void {
  const place = registerPlace(stateDirectory);
  const release = takeAuditLock(place.lock, PATIENCE_MS);
  try {
    orAuditError("audit-unwritable", `cannot write ${place.file}`, () => operation(place));
  } finally {
    release();
  }
}

/** Nothing in it is secret, and it is synced once per change. */
const OPTIONS = { redactor: { redact: (data: unknown) => data }, sync: "never" } as const;

function openRegister(place: AuditPlace): RecordWriter {
  let problem = isFresh(place) ? undefined : "it was missing";
  let writer: RecordWriter;
  try {
    writer = new RecordWriter(place, OPTIONS);
  } catch (error) {
    if (!AuditError.isInstance(error) || error.code !== "audit-damaged") throw error;
    problem = error.message;
    setAside(place);
    writer = new RecordWriter(place, OPTIONS);
  }
  try {
    if (writer.sequence === 0) writer.appendAll(beginning(place, problem));
    return writer;
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** The first lines of a register. A new one after a problem names all records that have a head. */
function beginning(place: AuditPlace, problem: string | undefined): AuditEvent[] {
  if (problem === undefined) return [{ event: "register-started" }];
  const marks = headsBeside(place).flatMap((head) => {
    const file = readHeadNote(head);
    return file === undefined ? [] : [markOf("record-created", { ...place, head, file })];
  });
  return [{ event: "register-restarted", data: { reason: problem } }, ...marks];
}

/** Keeps a damaged register as evidence. */
function setAside({ file, head }: AuditPlace): void {
  if (existsSync(file)) renameSync(file, file.replace(/\.jsonl$/, `.damaged-${Date.now()}.jsonl`));
  rmSync(head, { force: true });
}

/** Whether no record has begun, so that there is no register, or one whose first writer was killed. */
function isFresh(place: AuditPlace): boolean {
  const size = sizeOf(place.file) ?? (existsSync(place.key) ? undefined : 0);
  return size === 0 && (headOf(place.head)?.sequence ?? 0) === 0 && headsBeside(place).length === 0;
}

function headsBeside({ file }: AuditPlace): readonly string[] {
  const folder = join(dirname(file), "heads");
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith(".head")).map((name) => join(folder, name));
}

/** Compares the records below a folder with those that began there. */
export async function listAudits(
  directory: string,
  { stateDirectory }: RegisterOptions,
): Promise<AuditList> {
  return (await compare(directory, stateDirectory)).list;
}

/**
 * Takes the records below a folder as they are: what is missing is not reported again. For people to
 * decide, never for a program.
 */
export async function acceptAudits(
  directory: string,
  { stateDirectory }: RegisterOptions,
): Promise<AuditList> {
  const { list, isSound } = await compare(directory, stateDirectory);
  const marks = list.missing.map(({ file }) =>
    markOf("record-accepted", auditPlace(file, stateDirectory)),
  );
  if (list.problems.length > 0) {
    if (!isSound) withRegister(stateDirectory, setAside);
    marks.push({ event: "register-accepted", data: list });
  }
  if (marks.length > 0) register(stateDirectory, ...marks);
  return list;
}

/** What is missing, and whether the register itself is as it was written. */
async function compare(
  directory: string,
  stateDirectory: string,
): Promise<{ readonly list: AuditList; readonly isSound: boolean }> {
  const place = registerPlace(stateDirectory);
  if (isFresh(place)) return { list: { missing: [], pruned: 0, problems: [] }, isSound: true };
  const prefix = `${realFolder(resolve(directory))}${sep}`;
  const last = new Map<string, AuditRecord>();
  let restarted: string | undefined;
  const verification = await readAudit(place, (record) => {
    const { file, reason } = (record.data ?? {}) as { file?: unknown; reason?: unknown };
    if (record.event === "register-restarted") restarted = `on ${record.time}: ${String(reason)}`;
    if (record.event === "register-accepted") restarted = undefined;
    if (typeof file === "string" && file.startsWith(prefix)) last.set(file, record);
  });
  const problems = problemsOf(place, verification);
  if (restarted !== undefined) problems.push(`${place.file} was rebuilt ${restarted}`);
  const records = [...last.values()];
  const missing = records
    .filter(({ event }) => event === "record-created")
    .flatMap(({ data }) => missingAt((data as MissingAudit).file, stateDirectory));
  const pruned = records.filter(({ event }) => event === "record-pruned").length;
  return { list: { missing, pruned, problems }, isSound: verification.ok };
}

function problemsOf({ file, head }: AuditPlace, verification: AuditVerification): string[] {
  if (verification.ok) return [];
  if (!existsSync(file) && !existsSync(head)) return [`${file} is missing`];
  // Another process may be writing.
  const problems = verification.problems.filter(({ kind }) => kind !== "torn");
  return problems.map(({ line, message }) => `${file}, line ${line}: ${message}`);
}

function missingAt(file: string, stateDirectory: string): MissingAudit[] {
  const { head } = auditPlace(file, stateDirectory);
  const size = sizeOf(file);
  // Without head and content it looks like a record that never began.
  if (size !== undefined && (size > 0 || existsSync(head))) return [];
  const records = headOf(head)?.sequence;
  return [records === undefined ? { file } : { file, records }];
}

function sizeOf(file: string): number | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.size;
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

/**
 * Forgets how far a record went, so that a new one can begin at its path. A copy of the old one can
 * no longer be verified. For people to decide, never for a program.
 */
export function forgetAudit(file: string, { stateDirectory }: RegisterOptions): void {
  const place = auditPlace(file, stateDirectory);
  const release = takeAuditLock(place.lock);
  try {
    register(stateDirectory, markOf("record-pruned", place));
    rmSync(place.head, { force: true });
  } finally {
    release();
  }
}

interface RemoveOptions extends RegisterOptions {
  /**
   * Removes what belongs to a record elsewhere; gets the name of its folder. Called again when the first
   * call was cut off.
   */
  readonly alsoRemove?: ((name: string) => void) | undefined;
}

/** No record is in a folder whose name begins like this. */
const REMOVED = ".removed-";

/**
 * Removes a record with its folder, which leaves a line in the register; false when a process writes
 * the record. The folder is there with all its files or not at all: it is moved aside first.
 */
export function removeAudit(file: string, { stateDirectory, alsoRemove }: RemoveOptions): boolean {
  const place = auditPlace(file, stateDirectory);
  const folder = dirname(place.file);
  const removed = join(dirname(folder), `${REMOVED}${basename(folder)}`);
  let release: () => void;
  try {
    release = takeAuditLock(place.lock);
  } catch (error) {
    if (AuditError.isInstance(error) && error.code === "audit-locked") return false;
    throw error;
  }
  const moveAside = () => {
    rmSync(removed, { recursive: true, force: true });
    renameSync(folder, removed);
  };
  try {
    try {
      register(stateDirectory, markOf("record-pruned", place));
      moveAside();
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      // Removing it is what makes room for the line.
      moveAside();
      rmSync(removed, { recursive: true, force: true });
      register(stateDirectory, markOf("record-pruned", place));
    }
    rmSync(place.head, { force: true });
  } catch (error) {
    if (existsSync(removed) && !existsSync(folder)) renameSync(removed, folder);
    try {
      register(stateDirectory, markOf("record-created", place));
    } catch {
      // The first error is the one to report.
    }
    throw error;
  } finally {
    release();
  }
  alsoRemove?.(basename(folder));
  rmSync(removed, { recursive: true, force: true });
  return true;
}

function isDiskFull(error: unknown): boolean {
  return errorCode(error) === "ENOSPC" || errorCode((error as Error).cause) === "ENOSPC";
}

/** Finishes removals below a folder that were cut off; `fileIn` names the record in its folder. */
export function finishRemovals(
  directory: string,
  fileIn: (folder: string) => string,
  { stateDirectory, alsoRemove }: RemoveOptions,
): void {
  for (const entry of readdirSync(directory)) {
    const name = entry.startsWith(REMOVED) ? entry.slice(REMOVED.length) : "";
    if (name === "") continue;
    const folder = join(directory, name);
    const { head } = auditPlace(fileIn(folder), stateDirectory);
    if (!existsSync(folder)) {
      rmSync(head, { force: true });
      alsoRemove?.(name);
    }
    rmSync(join(directory, entry), { recursive: true, force: true });
  }
}

interface PruneAuditsOptions extends RegisterOptions {
  /** Name of the record in its folder. */
  readonly record: string;
  /** How many of the newest stay in any case. Default: none. */
  readonly keep?: number | undefined;
  /** Only those written last before this, in milliseconds since 1970. Default: of any age. */
  readonly olderThan?: number | undefined;
  /** Whether something in this folder waits for a person. */
  readonly isWaiting?: (folder: string) => boolean;
}

/**
 * - `new`: among the newest, or not old enough.
 * - `waiting`: for a person.
 * - `running`: a process writes it.
 * - `damaged`: it is not as it was written. It may be evidence, so a person has to remove it.
 */
type KeepReason = "new" | "waiting" | "running" | "damaged";

interface PrunedAudits {
  readonly removed: readonly string[];
  readonly kept: readonly { readonly name: string; readonly reason: KeepReason }[];
}

/** Removes old records of a folder that has one folder for each, named so that the newest is last. */
export async function pruneAudits(
  directory: string,
  { stateDirectory, record, keep = 0, olderThan = Infinity, isWaiting }: PruneAuditsOptions,
): Promise<PrunedAudits> {
  const removed: string[] = [];
  const kept: { name: string; reason: KeepReason }[] = [];
  if (!existsSync(directory)) return { removed, kept };
  finishRemovals(directory, (folder) => join(folder, record), { stateDirectory });
  const names = readdirSync(directory).sort().reverse();
  for (const [index, name] of names.entries()) {
    const file = join(directory, name, record);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    let reason: KeepReason | undefined;
    if (index < keep || !((stats?.mtimeMs ?? 0) < olderThan)) reason = "new";
    else if (isWaiting?.(join(directory, name)) === true) reason = "waiting";
    else if (stats !== undefined && !(await isSound(file, stateDirectory))) reason = "damaged";
    else if (!removeAudit(file, { stateDirectory })) reason = "running";
    if (reason === undefined) removed.push(name);
    else kept.push({ name, reason });
  }
  return { removed, kept };
}

async function isSound(file: string, stateDirectory: string): Promise<boolean> {
  const verification = await verifyAudit(file, { stateDirectory }).catch(() => undefined);
  if (verification === undefined) return false;
  return verification.ok || verification.problems.every(({ kind }) => kind === "torn");
}

export interface OpenAuditOptions extends RecordWriterOptions {
  readonly redactor: Redactor;
  /** The record: one JSON object per line. It and its folder are made when missing. */
  readonly file: string;
  /** Where the user's key and the heads are; nothing that is audited may write there. */
  readonly stateDirectory: string;
}

interface OpenAudit extends Audit {
  append(event: AuditEvent): AuditRecord;
  /** Of the last record. */
  readonly sequence: number;
  /** All of them in one write, or none. */
  appendAll(events: readonly AuditEvent[]): AuditRecord[];
  sync(): void;
  close(): void;
}

/**
 * Opens a record to append to it; one process at a time. A line that a crash left half-written is
 * cut off, and that is recorded as `audit-recovered`. Throws an `AuditError` when the record is not
 * as it was written last.
 */
export function openAudit(options: OpenAuditOptions): OpenAudit {
  const { file, stateDirectory, redactor } = options;
  return orAuditError("audit-unwritable", `cannot write ${file}`, () => {
    // Before its real path can be known, the folder has to be there.
    makeFolder(dirname(file));
    const place = auditPlace(file, stateDirectory);
    const release = takeAuditLock(place.lock);
    try {
      startRegister(stateDirectory);
      const writer = new RecordWriter(place, options);
      const close = () => {
        try {
          writer.close();
        } finally {
          release();
        }
      };
      try {
        // After the head: a crash between the two leaves a record without lines, registered next time.
        if (writer.sequence === 0) register(stateDirectory, markOf("record-created", place));
      } catch (error) {
        writer.close();
        throw error;
      }
      return {
        file: place.file,
        redactor,
        get sequence() {
          return writer.sequence;
        },
        append: (event) => writer.appendAll([event])[0] as AuditRecord,
        appendAll: (events) => writer.appendAll(events),
        sync: () => writer.sync(),
        close,
      };
    } catch (error) {
      release();
      throw error;
    }
  });
}
