import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { plainLine, truncate } from "@skillwright/core/internal";
import type { Audit, AuditEvent } from "@skillwright/runtime";

/** Whose request is under way, as the record names it. */
export interface ClientFacts {
  /** What the client calls itself; nobody has checked it. */
  readonly client?: string | undefined;
  /** The same for all requests of one session. It is not the id that the client sends. */
  readonly session?: string | undefined;
  /** Whose approvals count. */
  readonly principal?: string | undefined;
}

const current = new AsyncLocalStorage<ClientFacts>();

/** Does the work of a request; what is recorded meanwhile through a `clientAudit` names the client. */
export function asClient<Result>(facts: ClientFacts, work: () => Promise<Result>): Promise<Result> {
  return current.run(facts, work);
}

/** Of the request that is under way. */
export function currentPrincipal(): string | undefined {
  return current.getStore()?.principal;
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
const PLAIN_SUBJECT = /^[!-~]{1,100}$/;

/**
 * Names whose approvals these are: the subject that the transport authenticated, where there is one, and the
 * client as it calls itself. A subject has no blanks, so no name can pass for another subject.
 */
export function clientPrincipal(info: unknown, subject: string | undefined): string {
  const { name } = Object(info) as { readonly name?: unknown };
  const client = clientName({ name }) ?? "unnamed";
  if (subject === undefined) return `mcp:${client}`;
  const plain = PLAIN_SUBJECT.test(subject)
    ? subject
    : createHash("sha256").update(subject).digest("hex");
  return `mcp-user:${plain} ${client}`;
}

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
