import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { KeyFileError } from "../key-file.ts";
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
export type AuditErrorCode =
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
