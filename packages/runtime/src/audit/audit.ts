import {
  APPEND_FLAGS,
  checkOptions,
  escapeHiddenInJson,
  type OptionKinds,
  readIfPresent,
  syncFolder,
  isLockHeld,
  waitForLockSync,
  writeAtomic,
} from "@skillwright/core/internal";
import { createHash, createHmac, type KeyObject } from "node:crypto";
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readSync,
  realpathSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { KeyFileError } from "../key-file.ts";
import { createRedactor } from "./redaction/create-redactor.ts";
import type { Redactor } from "./redaction/redactor.ts";

/** Something that is about to happen, or its result. */
export interface AuditEvent {
  /** Noun and verb in kebab case, such as `script-start`. Hosts may add others. */
  readonly event: `${string}-${string}`;
  /** Any value. Secrets are removed, and what JSON cannot hold is described. */
  readonly data?: unknown;
}

/** One line of the record, as it was written. */
export interface AuditRecord {
  readonly schemaVersion: 1;
  /** From 1 on, without gaps. This is the order; times may jump. */
  readonly sequence: number;
  readonly time: string;
  readonly event: `${string}-${string}`;
  readonly data: unknown;
  /** The hash of the line before. */
  readonly previous: string;
  readonly hash: string;
}

export interface Audit {
  /** The path the record is known by. */
  readonly file: string;
  /** Keeps secrets out of the record, and out of anything else that leaves a run. */
  readonly redactor: Redactor;
  /**
   * Adds the event. Before an act, wait for `sync` as well: only then it is certain to be written. Throws
   * an `AuditError` when it could not be written: then the act must not happen.
   */
  append(event: AuditEvent): void;
  /** Makes sure that what was appended is written. Rejects as `append` throws. */
  sync(): void | Promise<void>;
  /** Syncs and lets others write. Safe to call twice. */
  close(): void | Promise<void>;
}

/**
 * Why nothing can be recorded, so that what was to be recorded must not happen.
 *
 * - `audit-closed`: the record was closed, or writing it failed in a way that only opening it again fixes.
 * - `audit-damaged`: the record is not what was written last: cut, edited, replaced, or of someone else.
 * - `audit-key-unusable`: the key in the user's state is damaged, or others may read it.
 * - `audit-locked`: another process, or another part of this one, is writing this record.
 * - `audit-unreadable`: the record may not be read, or is not a regular file.
 * - `audit-unwritable`: disk full, read-only, no permission.
 */
type AuditErrorCode =
  | "audit-closed"
  | "audit-damaged"
  | "audit-key-unusable"
  | "audit-locked"
  | "audit-unreadable"
  | "audit-unwritable";

const MARKER = Symbol.for("skillwright.audit-error");

/** Thrown, not returned, so that a caller that ignores it does not act. */
export class AuditError extends Error {
  override readonly name = "AuditError";
  readonly code: AuditErrorCode;
  /** What to do about it. */
  readonly hint?: string;
  readonly [MARKER] = true;

  constructor(code: AuditErrorCode, message: string, options?: ErrorOptions & { hint?: string }) {
    super(message, options);
    this.code = code;
    if (options?.hint !== undefined) this.hint = options.hint;
  }

  /** Like `instanceof`, and also right when two copies of this package are loaded. */
  static isInstance(error: unknown): error is AuditError {
    return typeof error === "object" && error !== null && MARKER in error;
  }
}

/** Turns an error of the operating system, or of a key, into an `AuditError`. */
export function orAuditError<Result>(
  code: AuditErrorCode,
  what: string,
  operation: () => Result,
): Result {
  try {
    return operation();
  } catch (cause) {
    if (AuditError.isInstance(cause)) throw cause;
    const { message } = cause as Error;
    if (!(cause instanceof KeyFileError)) {
      throw new AuditError(code, `${what}: ${message}`, { cause });
    }
    const { file } = cause;
    throw new AuditError("audit-key-unusable", `the key ${file} cannot be used: ${message}`, {
      cause,
      hint: `Give it back to its owner with mode 0600. Without it, move ${dirname(file)} away: records made so far can then no longer be verified.`,
    });
  }
}

/** `sha256:` and the hash of the text. */
export function contentDigest(text: string | Uint8Array): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}

/** Longer lines are never written, so that reading needs little memory. Without the newline. */
export const MAX_LINE_BYTES = 1024 * 1024;

const START = Buffer.from('{"schemaVersion":1,"sequence":');
const END = /^,"hash":"([0-9a-f]{64})"\}$/;
/** What follows the bytes that are hashed. */
const END_BYTES = `,"hash":"${"0".repeat(64)}"}`.length;

/**
 * Makes the record and its line, newline included. The hash covers the bytes of the line, not what they
 * mean. Data that would make the line too long is left out.
 */
export function encodeRecord(
  fields: Omit<AuditRecord, "hash">,
  key: KeyObject,
): { readonly record: AuditRecord; readonly line: Buffer } {
  const start = escapeHiddenInJson(JSON.stringify(fields)).slice(0, -1);
  const hash = keyedHash(start, key);
  const line = Buffer.from(`${start},"hash":"${hash}"}\n`);
  if (line.length <= MAX_LINE_BYTES) return { record: { ...fields, hash }, line };
  return encodeRecord({ ...fields, data: { cut: true, bytes: line.length } }, key);
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
  const isOwn = keyedHash(line.subarray(0, at), key) === hash;
  return begins && isOwn ? (JSON.parse(line.toString("utf8")) as AuditRecord) : "edited";
}

/** What the first line of a record names as the hash before it. */
export function firstHash(log: string, key: KeyObject): string {
  return keyedHash(`skillwright-audit\n${log}`, key);
}

function keyedHash(data: string | Buffer, key: KeyObject): string {
  return createHmac("sha256", key).update(data).digest("hex");
}

/** The calls that fail when a disk does. Tests pass their own. */
export interface AuditDisk {
  /** Returns how many bytes were written, perhaps fewer than asked for. Without a position it appends. */
  write(descriptor: number, bytes: Uint8Array, position: number | null): number;
  sync(descriptor: number): void;
  truncate(descriptor: number, size: number): void;
}

export const realDisk: AuditDisk = {
  write: (descriptor, bytes, position) => writeSync(descriptor, bytes, 0, bytes.length, position),
  sync: fdatasyncSync,
  truncate: ftruncateSync,
};

/** Writes all bytes, or throws with some of them written. */
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

export const NEWLINE = 0x0a;

/** Opens the file of a record to append to it, made if missing. */
export function openRecord(path: string): { readonly descriptor: number; readonly size: number } {
  const descriptor = openSync(path, APPEND_FLAGS, 0o600);
  const stats = fstatSync(descriptor);
  if (stats.isFile() && stats.nlink === 1) return { descriptor, size: stats.size };
  closeSync(descriptor);
  const problem = stats.isFile() ? "has another name too" : "is not a regular file";
  throw new AuditError("audit-unwritable", `${path} ${problem}`);
}

/** How a file ends. */
export interface FileEnd {
  /** The last complete line, without its newline. */
  readonly line?: Buffer;
  /** What follows the last newline. */
  readonly torn: Buffer;
}

/** Reads no more from the end than two lines can have. */
export function readEnd(path: string, descriptor: number, size: number): FileEnd {
  const start = Math.max(0, size - 2 * (MAX_LINE_BYTES + 1));
  const bytes = Buffer.alloc(size - start);
  const count = readSync(descriptor, bytes, 0, bytes.length, start);
  const lineEnd = bytes.lastIndexOf(NEWLINE);
  const torn = bytes.subarray(lineEnd + 1);
  if (count < bytes.length || torn.length > MAX_LINE_BYTES) {
    throw new AuditError("audit-damaged", `${path} ends in something else than lines`);
  }
  const lines = bytes.subarray(0, Math.max(0, lineEnd));
  return lineEnd === -1 ? { torn } : { torn, line: lines.subarray(lines.lastIndexOf(NEWLINE) + 1) };
}

/** Throws when someone else changed, moved or replaced a file that had this size. */
export function checkUnchanged(path: string, descriptor: number, expectedSize: number): void {
  const { size, ino, dev } = fstatSync(descriptor);
  const named = orAuditError("audit-unreadable", `cannot look at ${path}`, () =>
    lstatSync(path, { throwIfNoEntry: false }),
  );
  if (size === expectedSize && named?.ino === ino && named.dev === dev) return;
  throw new AuditError("audit-damaged", `${path} was changed by someone else`, {
    hint: "Look at what `verifyAudit` finds.",
  });
}

/** How far a record goes. */
export interface Head {
  /** The id of the record, from which the hash before its first line is made. */
  readonly log: string;
  readonly sequence: number;
  /** Up to here the lines survive a power failure. */
  readonly synced: number;
  /** Of the line with this sequence. */
  readonly hash: string;
  /** How often it was written: the newer slot counts. */
  readonly version: number;
}

const SLOT_BYTES = 256;
/** Of both slots and the path of the record. */
const MAX_HEAD_BYTES = 64 * 1024;

/** Makes the head of a new record. The note of its path is for people, and for the register. */
export function createHead(path: string, file: string, head: Head): void {
  const slot = encodeSlot(head);
  const note = Buffer.from(`${JSON.stringify({ file })}\n`);
  syncFolder(dirname(file));
  writeAtomic(path, Buffer.concat([slot, slot, note]), { flush: true });
}

/**
 * The two slots of a head are written in turn: when writing one fails, the other is intact, and writing
 * needs no more room on the disk.
 */
export function writeHead(disk: AuditDisk, descriptor: number, head: Head): void {
  writeFully(disk, descriptor, encodeSlot(head), (head.version % 2) * SLOT_BYTES);
}

/** The head in this file; undefined if absent. Throws when it is damaged. */
export function readHead(path: string): Head | undefined {
  const bytes = readBytes(path);
  if (bytes === undefined) return undefined;
  const slots = [0, SLOT_BYTES]
    .map((start) => decodeSlot(bytes.subarray(start, start + SLOT_BYTES)))
    .filter((slot) => slot !== undefined)
    .sort((a, b) => b.version - a.version);
  if (slots[0] === undefined) throw new AuditError("audit-damaged", `${path} is damaged`);
  return slots[0];
}

/** The path of the record that a head belongs to; undefined when it cannot be read. */
export function readHeadNote(path: string): string | undefined {
  try {
    const text = readBytes(path)?.toString("utf8", 2 * SLOT_BYTES) ?? "";
    const { file } = JSON.parse(text) as { file?: unknown };
    return typeof file === "string" ? file : undefined;
  } catch {
    return undefined;
  }
}

function readBytes(path: string): Buffer | undefined {
  try {
    return readIfPresent(path, { maxBytes: MAX_HEAD_BYTES });
  } catch (cause) {
    const hint = `Move ${path} away: the record it belongs to can then no longer be verified.`;
    const message = `cannot read ${path}: ${(cause as Error).message}`;
    throw new AuditError("audit-unreadable", message, { cause, hint });
  }
}

function encodeSlot({ version, log, sequence, synced, hash }: Head): Buffer {
  const text = JSON.stringify([1, version, sequence, synced, hash, log]);
  const line = `${checkOf(text)} ${text}`.padEnd(SLOT_BYTES - 1).concat("\n");
  if (line.length > SLOT_BYTES) throw new TypeError(`the id ${log} is too long`);
  return Buffer.from(line, "latin1");
}

function decodeSlot(bytes: Buffer): Head | undefined {
  const line = bytes.toString("latin1").trimEnd();
  const text = line.slice(9);
  if (bytes.length !== SLOT_BYTES || line.slice(0, 9) !== `${checkOf(text)} `) return undefined;
  type Fields = [number, number, number, number, string, string];
  const [, version, sequence, synced, hash, log] = JSON.parse(text) as Fields;
  return { version, sequence, synced, hash, log };
}

function checkOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** What belongs to a record. All but the record itself is in the user's state. */
export interface AuditPlace {
  readonly file: string;
  readonly key: string;
  readonly head: string;
  readonly lock: string;
}

/**
 * A record is identified by its path, so the state shows when one is missing or was replaced. The
 * path of its folder is the real one, so that a link to the folder is the same place.
 */
export function auditPlace(file: string, stateDirectory: string): AuditPlace {
  const path = join(realFolder(dirname(resolve(file))), basename(file));
  const name = createHash("sha256").update(path).digest("hex").slice(0, 32);
  const folder = join(resolve(stateDirectory), "audit");
  return {
    file: path,
    key: join(folder, "key"),
    head: join(folder, "heads", `${name}.head`),
    lock: join(folder, "heads", `${name}.lock`),
  };
}

/** The real path of a folder that may not be there yet, or not any more. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    const parent = dirname(folder);
    return parent === folder ? folder : join(realFolder(parent), basename(folder));
  }
}

/** Whether a process that may be running writes this record. */
export function isBeingWritten(file: string, stateDirectory: string): boolean {
  return isLockHeld(auditPlace(file, stateDirectory).lock);
}

/** Takes the lock of a record and returns the function that releases it. Throws when it stays held. */
export function takeAuditLock(file: string, patienceMs = 0): () => void {
  const attempt = orAuditError("audit-unwritable", `cannot make ${file}`, () =>
    waitForLockSync(file, patienceMs),
  );
  if (attempt.ok) return attempt.release;
  const { holder, file: held } = attempt;
  if (holder === undefined) {
    throw new AuditError("audit-locked", `the lock ${held} cannot be read`, {
      hint: `Remove ${held} when no process is writing the record.`,
    });
  }
  const { pid, host } = holder;
  throw new AuditError("audit-locked", `process ${pid} on ${host} is writing this record`, {
    hint: `Wait for it to end. If it is known to have ended, remove ${held}.`,
  });
}

interface CreateAuditOptions {
  /** Writes events in their order, all or none. Called for one batch at a time. */
  readonly write: (events: readonly AuditEvent[]) => Promise<void> | void;
  /** What the record is known by. Default: `audit`. */
  readonly name?: string;
  /** Default: takes out what looks like a secret, and the secrets of `process.env`. */
  readonly redactor?: Redactor;
}

const OPTIONS: OptionKinds<CreateAuditOptions> = {
  write: "function",
  name: "string",
  redactor: "object",
};

/**
 * A record in a database or a log service of the host. What was appended is written by the next `sync`,
 * which comes before every act. When writing fails nothing more is taken, so that nothing happens
 * without a record.
 */
export function createAudit(options: CreateAuditOptions): Audit {
  checkOptions("createAudit", options, OPTIONS, ["write"]);
  const { write, name = "audit", ...more } = options;
  const { redactor = createRedactor({ env: process.env }) } = more;
  let pending: AuditEvent[] = [];
  let last: Promise<void> = Promise.resolve();
  let problem: AuditError | undefined;
  let isClosed = false;
  const flush = async () => {
    if (problem !== undefined) throw problem;
    const events = pending;
    pending = [];
    if (events.length === 0) return;
    try {
      await write(events);
    } catch (cause) {
      const message = `cannot write ${name}: ${cause instanceof Error ? cause.message : String(cause)}`;
      problem = new AuditError("audit-unwritable", message, { cause });
      throw problem;
    }
  };
  const sync = () => {
    const turn = last.then(flush);
    last = turn.catch(() => {});
    return turn;
  };
  return {
    file: name,
    redactor,
    append({ event, data }) {
      if (problem !== undefined) throw problem;
      if (isClosed) throw new AuditError("audit-closed", `${name} was closed`);
      pending.push({ event, ...(data !== undefined && { data: redactor.redact(data) }) });
    },
    sync,
    async close() {
      isClosed = true;
      await sync();
    },
  };
}

/** Keeps events as long as the process lives: for tests, and for hosts that record elsewhere. */
export function createMemoryAudit(
  options: Pick<CreateAuditOptions, "redactor"> = {},
): Audit & { readonly events: readonly AuditEvent[] } {
  const events: AuditEvent[] = [];
  const write = (more: readonly AuditEvent[]) => void events.push(...more);
  return { ...createAudit({ ...options, name: "memory", write }), events };
}
