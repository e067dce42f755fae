import { executionFailure, type ExecutionFailure } from "./execution-receipt.ts";
import { type ResolvedLimits, resolveLimits } from "./execution-limits.ts";
import type { ExecutionRequest } from "./execution-request.ts";
import { parseScriptPath } from "./script-path.ts";
import { workingDirectory } from "./working-directory.ts";

export interface CheckedRequest {
  readonly ok: true;
  /** Relative to the skill. */
  readonly script: string;
  readonly limits: ResolvedLimits;
  /** Real path; absent for a fresh one. */
  readonly cwd?: string;
}

/** What Linux takes as one argument. */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;
const MAX_ARGUMENTS_BYTES = 1024 * 1024;

/** Everything that can be refused before anything of the skill is opened. */
export function checkRequest(request: ExecutionRequest): CheckedRequest | ExecutionFailure {
  const script = parseScriptPath(request.script);
  if (!script.ok) return script;
  const limits = resolveLimits(request.limits);
  if (!limits.ok) return limits;
  const problem = argumentsProblem(request.args) ?? networkProblem(request);
  if (problem !== undefined) return problem;
  const cwd = workingDirectory(request.cwd);
  if (!cwd.ok) return cwd;
  const path = cwd.path === undefined ? {} : { cwd: cwd.path };
  return { ok: true, script: script.path, limits: limits.limits, ...path };
}

function argumentsProblem(args: readonly string[]): ExecutionFailure | undefined {
  const refuse = (why: string) => executionFailure("arguments-invalid", `an argument ${why}`);
  let total = 0;
  for (const arg of args) {
    if (typeof arg !== "string") return refuse("is not text");
    if (arg.includes("\0")) return refuse("has a NUL character");
    const bytes = Buffer.byteLength(arg);
    total += bytes + 9;
    if (bytes > MAX_ARGUMENT_BYTES || total > MAX_ARGUMENTS_BYTES) {
      return refuse("is too long; give large data as a file or as standard input");
    }
  }
  return undefined;
}

function networkProblem({ network = "none" }: ExecutionRequest): ExecutionFailure | undefined {
  if (network === "none" || network.domains.length === 0) return undefined;
  return executionFailure(
    "network-unsupported",
    "scripts cannot be given network access to single domains yet",
    "Run the script without network, and fetch what it needs beforehand.",
  );
}
