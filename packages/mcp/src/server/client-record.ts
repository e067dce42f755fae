import { AsyncLocalStorage } from "node:async_hooks";
import { plainLine, truncate } from "@skillwright/core/internal";
import type { Audit, AuditEvent } from "@skillwright/runtime";

/** Whose request is under way, as the record names it. */
export interface ClientFacts {
  /** What the client calls itself; nobody has checked it. */
  readonly client?: string | undefined;
  /** The same for all requests of one session. It is not the id that the client sends. */
  readonly session?: string | undefined;
}

const current = new AsyncLocalStorage<ClientFacts>();

/** Does the work of a request; what is recorded meanwhile through a `clientAudit` names the client. */
export function asClient<Result>(facts: ClientFacts, work: () => Promise<Result>): Promise<Result> {
  return current.run(facts, work);
}

/** The same record. Events that a request of a client causes name it. */
export function clientAudit(audit: Audit): Audit {
  return {
    file: audit.file,
    redactor: audit.redactor,
    append: (event) => audit.append(withClient(event)),
    sync: () => audit.sync(),
    close: () => audit.close(),
  };
}

function withClient({ event, data }: AuditEvent): AuditEvent {
  const facts = current.getStore();
  if (facts === undefined) return { event, data };
  const { client, session } = facts;
  const isObject = typeof data === "object" && data !== null && !Array.isArray(data);
  return { event, data: { ...(isObject ? data : { data }), client, session } };
}

const MAX_NAME = 100;

/** A client's name and version on one line, bounded, and without what a terminal would obey or hide. */
export function clientName(info: unknown): string | undefined {
  if (typeof info !== "object" || info === null) return undefined;
  const { name, version } = info as { readonly name?: unknown; readonly version?: unknown };
  const words = [name, version].map((word) =>
    typeof word === "string" ? plainLine(word.slice(0, MAX_NAME)) : "",
  );
  const text = words.filter((word) => word !== "").join(" ");
  return text === "" ? undefined : truncate(text, MAX_NAME);
}
