import type { ExecutionFailure, ExecutionReceipt } from "./execution-receipt.ts";
import type { ExecutionRequest } from "./execution-request.ts";

export interface ExecutionContext {
  readonly signal?: AbortSignal;
  /** Gets the output as it comes, already harmless to a terminal. Must not throw. */
  readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
}

/** Runs scripts of skills. Nothing runs by itself, and nothing expected throws. */
export interface Executor {
  run(request: ExecutionRequest, context?: ExecutionContext): Promise<ExecutionReceipt>;
  /** Whether this executor can work here; found out once. */
  probe(): Promise<{ readonly ok: true } | ExecutionFailure>;
}
