import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { EvalOptions, TrialError, TrialPlace, TrialPolicy } from "@skillwright/evals";
import { type ApprovalStore, createFileApprovals } from "@skillwright/runtime/internal";
import { createSessionPolicy } from "../runs/session-policy.ts";
import { type RuntimeContext } from "../runtime/compose-runtime.ts";
import type { AppFailure } from "../failure.ts";
import type { AppHost } from "../host.ts";

/**
 * The policy of this command line for trials: each in its own directory, and nobody is asked, since several run at
 * once. What needs an approval is named with `--yes`, or was approved before.
 */
export function trialPolicies(
  context: Omit<RuntimeContext, "skills">,
): Required<EvalOptions>["openPolicy"] {
  const silent = silentHost(context.host);
  const options = {
    ...context.options,
    // What a trial changes is thrown away with its directory.
    writable: ["."],
    approvals: sharedApprovals(context.session.stateDirectory),
  };
  return ({ directory, skills }: TrialPlace): TrialPolicy => {
    const controller = new AbortController();
    const problems: TrialError[] = [];
    const session = { ...context.session, project: directory };
    const host = { ...silent, cwd: directory };
    const policy = createSessionPolicy(
      { ...context, options, session, host, skills },
      {
        stop(problem) {
          problems.push(asTrialError(problem));
          controller.abort();
        },
        onWalkAway: () => controller.abort(),
      },
    );
    return {
      policy,
      signal: controller.signal,
      problem: () => problems[0],
      close: async (runId) => {
        const folder = join(session.stateDirectory, "runs", runId);
        if (existsSync(folder)) await rm(folder, { recursive: true, force: true });
      },
    };
  };
}

/** What has to be said about the configuration is said once, before the first trial. */
function silentHost(host: AppHost): AppHost {
  // A copy, because listing the variables of the process takes long.
  return { ...host, env: { ...host.env }, person: () => undefined, note: () => undefined };
}

/** Reads the key once for all trials. */
function sharedApprovals(stateDirectory: string): ApprovalStore {
  const store = createFileApprovals(stateDirectory);
  let key: ReturnType<ApprovalStore["key"]> | undefined;
  return { ...store, key: () => (key ??= store.key()) };
}

function asTrialError({ code, message, hint }: AppFailure): TrialError {
  const text = hint === undefined ? message : `${message} (${hint})`;
  return { code: code ?? "missing", message: text };
}
