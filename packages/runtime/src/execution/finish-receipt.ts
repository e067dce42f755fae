import {
  canceledFailure,
  executionFailure,
  type ExecutionFailure,
  type ExecutionReceipt,
  timedOutFailure,
} from "./executor.ts";
import { missingModule } from "./missing-module.ts";
import type { NetworkUse } from "./network/network-record.ts";
import type { ChildEnd } from "./supervise-child.ts";

export interface RunFacts {
  readonly sandbox: ExecutionReceipt["sandbox"];
  readonly digest: string;
  readonly command: readonly string[];
  readonly unenforced: readonly string[];
  readonly durationMs: number;
  readonly script: string;
  readonly interpreter: string;
  readonly timeoutMs: number;
  readonly usesEnvironment: boolean;
  /** Paths of the skill's files. */
  readonly skillFiles?: ReadonlySet<string>;
  readonly network?: readonly NetworkUse[];
  /** What the executor itself found wrong. */
  readonly failure?: ExecutionFailure;
}

/** The receipt of a script that was started. */
export function finishReceipt(end: ChildEnd, facts: RunFacts): ExecutionReceipt {
  const { sandbox, digest, command, unenforced, durationMs } = facts;
  const failure = facts.failure ?? failureOf(end, facts);
  return {
    ok: failure === undefined,
    exitCode: end.exitCode,
    signal: end.signal,
    timedOut: end.timedOut,
    canceled: end.canceled,
    truncated: end.stdout.truncated || end.stderr.truncated,
    stdout: end.stdout.text,
    stderr: end.stderr.text,
    durationMs,
    sandbox,
    digest,
    command,
    unenforced,
    ...(facts.network === undefined ? {} : { network: facts.network }),
    ...(failure === undefined ? {} : { failure }),
  };
}

function failureOf(end: ChildEnd, facts: RunFacts): ExecutionFailure | undefined {
  const { script, timeoutMs } = facts;
  if (end.startError !== undefined) {
    return executionFailure("run-failed", `${script} could not be started: ${end.startError}`);
  }
  if (end.canceled) return canceledFailure(script);
  if (end.timedOut) return timedOutFailure(script, timeoutMs);
  if (end.exitCode === 0) return undefined;
  const how = end.signal === null ? `with exit code ${end.exitCode}` : `by ${end.signal}`;
  return (
    missingModule(facts.interpreter, end.stderr.text, facts.usesEnvironment, facts.skillFiles) ??
    executionFailure("script-failed", `${script} ended ${how}`)
  );
}
