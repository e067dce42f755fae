import type { Failure } from "@skillwright/core";

/**
 * Why a server did not give what it was asked for.
 *
 * - `server-invalid`: its settings cannot be used.
 * - `server-unreachable`: it cannot be started or does not answer as a server of this protocol.
 * - `server-waiting`: it failed a moment ago and is left alone for a while.
 * - `server-given-up`: it failed too often in a row.
 * - `server-timeout`: no answer in time.
 * - `server-excessive`: more pages, bytes or files than are taken.
 * - `server-refused`: it answered with an error.
 * - `canceled`: nobody wants the answer any more.
 * - `skill-unverified`: a file is not what the server's own list says.
 * - `skill-unknown`: no server lists this skill now.
 * - `tool-changed`: the tool is not the one that was offered.
 */
export type McpFailureCode =
  | "canceled"
  | "server-excessive"
  | "server-given-up"
  | "server-invalid"
  | "server-refused"
  | "server-timeout"
  | "server-unreachable"
  | "server-waiting"
  | "skill-unknown"
  | "skill-unverified"
  | "tool-changed";

export type McpFailure = Failure<McpFailureCode>;

export function mcpFailure(code: McpFailureCode, message: string, hint?: string): McpFailure {
  return { ok: false, code, message, ...(hint === undefined ? undefined : { hint }) };
}

/** Thrown inside, where a failure has to cross code that knows none; never out of the package. */
export class HostError extends Error {
  readonly code: McpFailureCode;

  constructor(code: McpFailureCode, message: string) {
    super(message);
    this.code = code;
  }
}
