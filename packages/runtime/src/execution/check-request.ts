import { executionFailure, type ExecutionFailure, type ExecutionRequest } from "./executor.ts";
import { type ResolvedLimits, resolveLimits } from "./execution-limits.ts";
import { type DomainRule, parseDomainRule } from "./network/domain-rule.ts";
import { parseScriptPath } from "./script-path.ts";
import { workingDirectory } from "./working-directory.ts";

export interface CheckedRequest {
  readonly ok: true;
  /** Relative to the skill. */
  readonly script: string;
  readonly limits: ResolvedLimits;
  /** Real path; absent for a fresh one. */
  readonly cwd?: string;
  /** What the script may reach; empty for nothing. */
  readonly domains: readonly DomainRule[];
}

/** What Linux takes as one argument. */
const MAX_ARGUMENT_BYTES = 128 * 1024 - 1;
const MAX_ARGUMENTS_BYTES = 1024 * 1024;
const MAX_DOMAINS = 500;

/** Everything that can be refused before anything of the skill is opened. */
export function checkRequest(request: ExecutionRequest): CheckedRequest | ExecutionFailure {
  const script = parseScriptPath(request.script);
  if (!script.ok) return script;
  const limits = resolveLimits(request.limits);
  if (!limits.ok) return limits;
  const problem = argumentsProblem(request.args);
  if (problem !== undefined) return problem;
  const network = domainsOf(request);
  if (!network.ok) return network;
  const cwd = workingDirectory(request.cwd);
  if (!cwd.ok) return cwd;
  const path = cwd.path === undefined ? {} : { cwd: cwd.path };
  return {
    ok: true,
    script: script.path,
    limits: limits.limits,
    domains: network.domains,
    ...path,
  };
}

export function argumentsProblem(args: readonly string[]): ExecutionFailure | undefined {
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

function domainsOf({
  network = "none",
}: ExecutionRequest):
  | { readonly ok: true; readonly domains: readonly DomainRule[] }
  | ExecutionFailure {
  if (network === "none") return { ok: true, domains: [] };
  const refuse = (message: string) =>
    executionFailure(
      "network-invalid",
      message,
      "Write example.com, *.example.com for what is below it, or example.com:8443.",
    );
  const given: unknown = network.domains;
  if (!Array.isArray(given)) return refuse("the domains that a script may reach must be a list");
  if (given.length > MAX_DOMAINS) return refuse(`there are more than ${MAX_DOMAINS} domains`);
  const domains: DomainRule[] = [];
  for (const text of given as readonly unknown[]) {
    const rule = typeof text === "string" ? parseDomainRule(text) : undefined;
    if (rule === undefined) {
      return refuse(`${JSON.stringify(text)?.slice(0, 100)} is not a domain that can be allowed`);
    }
    domains.push(rule);
  }
  return { ok: true, domains };
}
