import type { Redactor } from "./redaction/redactor.ts";

/** Noun and verb in kebab case. Those that are known here; others may be added by who records them. */
export type AuditEventName =
  | "approval-decision"
  | "approval-request"
  | "audit-recovered"
  | "file-read"
  | "model-call"
  | "policy-deny"
  | "run-end"
  | "run-start"
  | "script-end"
  | "script-start"
  | "skill-activate"
  | "tool-call"
  | "tool-end"
  | "workspace-read"
  | "workspace-write"
  | (`${string}-${string}` & {});

/** What is about to happen, or what came of it. */
export interface AuditEvent {
  readonly event: AuditEventName;
  /** Anything; what JSON cannot hold is described, secrets are taken out. */
  readonly data?: unknown;
}

/** One line of the record, as it was written. */
export interface AuditRecord {
  readonly schemaVersion: 1;
  /** From 1 on, without gaps. This is the order; times may jump. */
  readonly sequence: number;
  readonly time: string;
  readonly event: AuditEventName;
  readonly data: unknown;
  /** The hash of the line before. */
  readonly previous: string;
  readonly hash: string;
}

export interface Audit {
  /** The path the record is known by. */
  readonly file: string;
  /** What keeps secrets out of the record. What else leaves a run is to pass it too. */
  readonly redactor: Redactor;
  /**
   * Adds the event. Before an act, wait for `sync` as well: only then it is certain to be written. Throws
   * an `AuditError` when it could not be written: then the act must not happen.
   */
  append(event: AuditEvent): AuditRecord;
  /** Makes sure that what was appended is written. Rejects as `append` throws. */
  sync(): void | Promise<void>;
  /** Syncs and lets others write. Safe to call twice. */
  close(): void;
}
