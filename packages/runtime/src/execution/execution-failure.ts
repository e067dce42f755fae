import type { Failure } from "@skillwright/core";

export type ExecutionFailureCode =
  | "arguments-invalid"
  | "canceled"
  | "digest-mismatch"
  | "interpreter-missing"
  | "interpreter-unknown"
  | "limits-invalid"
  | "module-missing"
  | "network-invalid"
  | "program-missing"
  | "requirement-unmet"
  | "run-failed"
  | "sandbox-failed"
  | "sandbox-missing"
  | "sandbox-unknown"
  | "sandbox-unusable"
  | "script-failed"
  | "script-invalid"
  | "script-missing"
  | "script-outside"
  | "script-unreadable"
  | "skill-too-large"
  | "skill-unreadable"
  | "timed-out"
  | "working-directory-refused"
  | "writable-refused";

export type ExecutionFailure = Failure<ExecutionFailureCode>;

export function executionFailure(
  code: ExecutionFailureCode,
  message: string,
  hint?: string,
): ExecutionFailure {
  return { ok: false, code, message, ...(hint !== undefined && { hint }) };
}
