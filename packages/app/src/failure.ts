import { type Failure, SkillwrightError } from "@skillwright/core";
import { defined } from "@skillwright/core/internal";
import { systemProblem } from "./system-problem.ts";

/**
 * What kind of failure it is, for the caller's exit code or status:
 * `no` – the answer is no · `usage` – wrong options or configuration · `approval` – needed or refused ·
 * `missing` – something has to be installed or provided · `interrupted` – the caller stopped it.
 */
export type FailureKind = "no" | "usage" | "approval" | "missing" | "interrupted";

interface FailureOptions extends ErrorOptions {
  /** What the person can do about it. */
  readonly hint?: string;
  /** For programs: the code of the failure behind it. */
  readonly code?: string;
}

/** An expected failure on its way to the public entry, which returns it as a value. */
export class AppFailure extends Error {
  override readonly name: string = "AppFailure";
  readonly kind: FailureKind;
  readonly hint: string | undefined;
  readonly code: string | undefined;

  constructor(kind: FailureKind, message: string, { hint, code, cause }: FailureOptions = {}) {
    super(message, { cause });
    this.kind = kind;
    this.hint = hint;
    this.code = code;
  }
}

/** Files of the user's state that have to be fixed or removed first. */
const UNREADABLE: ReadonlySet<string> = new Set([
  "approval-key-unusable",
  "audit-key-unusable",
  "audit-unreadable",
]);

/** What cannot be recorded or approved does not happen. Throws anything else again: it is a bug. */
export function asAppFailure(error: unknown): AppFailure {
  if (error instanceof AppFailure) return error;
  const isRefusal = error instanceof Error && /^(?:Audit|Approval)Error$/.test(error.name);
  if (!isRefusal) throw error;
  const { hint, code = "" } = error as { readonly hint?: string; readonly code?: string };
  const options = hint === undefined ? { cause: error } : { cause: error, hint };
  return new AppFailure(UNREADABLE.has(code) ? "usage" : "no", error.message, options);
}

/** An expected failure as a value, with its kind for whoever has to choose an exit code or a status. */
export type AppProblem = Failure & { readonly kind: FailureKind };

/** The failure again, for callers that end by one. */
export function asFailure(problem: Failure & { readonly kind?: FailureKind }): AppFailure {
  const {
    kind = problem.code.startsWith("approval-") ? "approval" : "no",
    message,
    hint,
  } = problem;
  const code = problem.code === kind ? undefined : problem.code;
  return new AppFailure(kind, message, defined({ code, hint }));
}

/** The value, or the expected failure as one. Bugs still throw. */
export async function asValue<Value>(work: () => Promise<Value>): Promise<Value | AppProblem> {
  try {
    return await work();
  } catch (error) {
    if (SkillwrightError.isInstance(error)) {
      return { ok: false, kind: "no", code: error.code, message: error.message };
    }
    const failure = asAppFailure(error);
    const { kind, code = kind } = failure;
    const problem = systemProblem(failure);
    const hint = failure.hint ?? problem?.hint;
    return {
      ok: false,
      kind,
      code,
      message: problem?.message ?? failure.message,
      ...defined({ hint }),
    };
  }
}
