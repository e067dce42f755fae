import { checkOptions, type OptionKinds } from "@skillwright/core/internal";
import { type Audit, AuditError, type AuditEvent } from "./audit.ts";
import { createRedactor } from "./redaction/create-redactor.ts";
import type { Redactor } from "./redaction/redactor.ts";

export interface CreateAuditOptions {
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
