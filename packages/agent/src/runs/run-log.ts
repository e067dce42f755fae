import type { AuditEvent, AuditRecord, Redactor } from "@skillwright/runtime";

/** The record of one run, to append to. */
export interface RunLog {
  readonly runId: string;
  /** The path or name that the record is known by. */
  readonly file: string;
  /** Keeps secrets out of the record; the run applies it before it appends. */
  readonly redactor: Redactor;
  /** What was recorded before it was opened. */
  readonly records: readonly AuditRecord[];
  /**
   * Writes events as they are, all or none, and gives them back as records. Rejects with an
   * `AuditError` when the last record is not `expectedSequence` or writing fails: then nothing that
   * follows from the events may happen.
   */
  append(
    events: readonly AuditEvent[],
    options: { readonly expectedSequence: number },
  ): Promise<readonly AuditRecord[]>;
  /** Keeps an output that is too long for the record; gives its name, or undefined if it is not kept. */
  saveOutput(name: string, content: string | Uint8Array): string | undefined;
  /** Lets others write. Safe to call twice. */
  close(): void;
}

/**
 * Where runs are kept: files, memory, or a store of the host. A record that is not as it was written,
 * or that another process writes, is an `AuditError`. `test/conformance/run-store.ts` checks a store.
 */
export interface RunStore {
  /** A new run. Fails when there is one of this name. */
  create(runId: string): Promise<RunLog>;
  /** An existing run, to go on with it; undefined when there is none. */
  open(runId: string): Promise<RunLog | undefined>;
  /** Only to look at it. */
  read(runId: string): Promise<readonly AuditRecord[] | undefined>;
  /** The newest first. */
  list(): Promise<readonly string[]>;
  /** Without it, a resumed run tells the model what is missing. */
  readonly exactTexts?: ExactTexts;
}

/**
 * Keeps what redaction changed in a record, so that a resumed run continues the exact conversation.
 * Only the user may read it. Removed when the run can no longer be resumed.
 */
export interface ExactTexts {
  /** Exact data of events, by their sequence number in the record. */
  put(runId: string, texts: readonly (readonly [sequence: number, data: unknown])[]): Promise<void>;
  get(runId: string): Promise<ReadonlyMap<number, unknown>>;
  remove(runId: string): Promise<void>;
}
