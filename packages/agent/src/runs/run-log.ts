import type { Audit, AuditRecord } from "@skillwright/runtime";

/** The record of one run, to append to. */
export interface RunLog extends Audit {
  readonly runId: string;
  /** What was recorded before it was opened. */
  readonly records: readonly AuditRecord[];
  /** Keeps an output that is too long for the conversation; gives the file's name in the run. */
  saveOutput(name: string, text: string): string | undefined;
}

/**
 * Where runs are kept. Files by default, memory for tests; other stores can follow. A record that is
 * not as it was written, or that another process writes, is an `AuditError`.
 */
export interface RunStore {
  /** A new run. Fails when there is one of this name. */
  create(runId: string): Promise<RunLog>;
  /** One that is there, to go on with it; undefined when there is none. */
  open(runId: string): Promise<RunLog | undefined>;
  /** Only to look at it. */
  read(runId: string): Promise<readonly AuditRecord[] | undefined>;
  /** The newest first. */
  list(): Promise<readonly string[]>;
}
