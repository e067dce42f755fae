import type { Failure } from "@skillwright/core";
import type { ApprovalDecision, ApprovalRequest } from "../approval.ts";
import { offersAnyArguments } from "../request.ts";

/**
 * - `approval-decision-invalid`: an approver gave what is no decision.
 * - `approval-scope-not-offered`: the approval reaches further than the request offers.
 * - `approval-terminal-only`: only a person at a terminal may approve.
 * - `approval-request-invalid`: the request was changed, or was not made for this run.
 * - `approval-spent`: the request was already decided.
 * - `approval-unknown`: the run waits for another approval.
 */
export type ApprovalFailureCode =
  | "approval-decision-invalid"
  | "approval-scope-not-offered"
  | "approval-terminal-only"
  | "approval-request-invalid"
  | "approval-spent"
  | "approval-unknown";

export type ApprovalFailure = Failure<ApprovalFailureCode>;

const DECIDERS: ReadonlySet<unknown> = new Set(["person", "flag", "host"]);
const SCOPES: ReadonlySet<unknown> = new Set(["once", "run", "skill"]);

/** Why a decision does not count for a request; undefined when it does. A refusal always counts. */
export function decisionProblem(
  request: ApprovalRequest,
  decision: ApprovalDecision,
  { terminalOnly }: { readonly terminalOnly: boolean },
): ApprovalFailure | undefined {
  const { scope, by, anyArguments = false } = decision;
  // Approvers are other people's code: nothing but a clear yes is one.
  const { approved, pending = false }: { approved?: unknown; pending?: unknown } = decision;
  if (approved === false) return undefined;
  const isClear = approved === true && pending === false && typeof anyArguments === "boolean";
  if (!isClear || !DECIDERS.has(by) || !SCOPES.has(scope)) {
    return failure("approval-decision-invalid", "the approver gave no valid decision");
  }
  if ((terminalOnly || request.terminalOnly) && by !== "person") {
    return failure(
      "approval-terminal-only",
      "only a person at a terminal may approve this",
      `Run in a terminal: skillwright runs resume ${request.run}`,
    );
  }
  const isOpen = !anyArguments || (scope !== "once" && offersAnyArguments(request));
  if (request.scopes.includes(scope) && isOpen) return undefined;
  return failure(
    "approval-scope-not-offered",
    anyArguments
      ? `this cannot be approved with any arguments for the scope "${scope}"`
      : `this cannot be approved with the scope "${scope}"`,
    `Offered: ${request.scopes.join(", ")}.`,
  );
}

export function failure(
  code: ApprovalFailureCode,
  message: string,
  hint?: string,
): ApprovalFailure {
  return { ok: false, code, message, ...(hint === undefined ? undefined : { hint }) };
}
