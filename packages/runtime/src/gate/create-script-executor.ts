import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type {
  ScriptExecutor,
  ScriptRequest,
  ScriptResult,
  ToolContext,
  ToolFailure,
} from "@skillwright/core";
import { promptText } from "@skillwright/core/internal";
import type { ExecutionReceipt } from "../execution/execution-receipt.ts";
import type { ExecutionLimits, ExecutionRequest } from "../execution/execution-request.ts";
import type { ExecutionContext, Executor } from "../execution/executor.ts";
import { receiptText } from "../execution/receipt-text.ts";
import { checkableVersions, checkVersions, unmetVersion } from "./check-versions.ts";
import type { Gate } from "./gate.ts";
import { type InspectedScript, inspectScript } from "./inspect-script.ts";
import { forModel, restoreTexts } from "./model-text.ts";
import { networkFacts } from "./network-facts.ts";
import { redactedOutput } from "./redacted-output.ts";
import { spilledOutput } from "./spilled-output.ts";

type OnOutput = NonNullable<ExecutionContext["onOutput"]>;

export interface ScriptExecutorOptions {
  readonly gate: Gate;
  readonly executor: Executor;
  /** Shown to who approves: `bubblewrap`, or `none` where nothing holds the process. */
  readonly sandbox: string;
  readonly cwd: string;
  readonly limits?: ExecutionLimits;
  readonly network?: ExecutionRequest["network"];
  readonly writable?: readonly string[];
  /** Gets the output as it comes, without secrets; as a rule, whole lines. Must not throw. */
  readonly onOutput?: OnOutput;
  /**
   * Where the whole output goes, without secrets and within a second cap, when it is too much for the
   * result. Each run makes a folder in it.
   */
  readonly spillDirectory?: string;
}

const RUNNABLE = /\.(?:py|sh|bash|js|mjs|cjs|ts|rb|pl)$/i;

/**
 * Runs scripts of skills for core's tools: past the gate, from the very copy that was inspected and
 * approved, with its start and end in the record.
 */
export function createScriptExecutor(options: ScriptExecutorOptions): ScriptExecutor {
  return {
    canRun: (path) => RUNNABLE.test(path),
    async run(request, context) {
      const { skill, script } = request;
      const path = script.startsWith("scripts/") ? script : `scripts/${script}`;
      const inspected = await inspectScript(skill, path);
      if (!inspected.ok) return failed(inspected);
      try {
        return await runInspected({ ...request, script: path }, inspected, context, options);
      } finally {
        inspected.remove();
      }
    },
  };
}

async function runInspected(
  { skill: { name, source, path }, script, args }: ScriptRequest,
  { snapshot, text, policySkill, requires }: InspectedScript,
  { signal }: ToolContext,
  options: ScriptExecutorOptions,
): Promise<ScriptResult> {
  const { gate, executor, sandbox, cwd, limits, writable = [], network = "none" } = options;
  const { digest } = snapshot;
  const restored = restoreTexts(args, gate.secrets);
  const inputWith = (words: readonly string[]) => {
    return { skill_name: name, script_file: script, args: words };
  };
  const passed = await gate.pass(
    {
      tool: "run_script",
      input: inputWith(args),
      restoredInput: inputWith(restored.values),
      secretNames: restored.names,
      cwd,
      skill: { name, source, digest },
      script: { path: script, args, text },
      sandbox,
      writable,
      network: network === "none" ? "none" : network.domains,
      policySkill,
    },
    signal ? { signal } : {},
  );
  if (!passed.ok) return failed(passed);
  const common = { id: randomUUID(), skill: name, digest, script };
  const needed = checkableVersions(requires);
  const required = needed.length === 0 ? {} : { requires: needed };
  await gate.record({
    event: "script-start",
    data: { ...common, args, cwd, sandbox, ...required },
  });
  const requirements = await checkVersions(requires, { executor, limits, signal });
  const checked = needed.length === 0 ? {} : { requirements };
  const unmet = unmetVersion(name, requirements);
  if (unmet !== undefined) {
    const end = { ...common, ok: false, exitCode: null, code: unmet.code, ...checked };
    gate.audit.append({ event: "script-end", data: end });
    return failed(unmet);
  }
  const skill = { name, path, digest, snapshot };
  const runArgs = restored.values;
  const request = {
    skill,
    script,
    args: runArgs,
    cwd,
    writable,
    network,
    ...(limits && { limits }),
  };
  const { redactor } = gate.audit;
  const { onOutput, spillDirectory } = options;
  const spilled =
    spillDirectory === undefined
      ? undefined
      : spilledOutput(join(spillDirectory, common.id), onOutput);
  const sink = spilled?.write ?? onOutput;
  const output = sink && redactedOutput(sink, redactor);
  const receipt = await executor.run(request, {
    ...(signal && { signal }),
    ...(output && { onOutput: output.write }),
  });
  output?.end();
  const kept = spilled?.end(receipt.truncated);
  const end = {
    ...common,
    ...endOf(receipt),
    ...checked,
    ...(kept !== undefined && { output: kept }),
  };
  gate.audit.append({ event: "script-end", data: end });
  const shown = promptText(gate.secrets.hideOutput(receiptText(receipt)));
  if (receipt.ok) return { ok: true, text: shown };
  const code = receipt.canceled ? "aborted" : "script-failed";
  const failure = {
    ok: false,
    code,
    message: shown,
    receipt: forModel(receipt, gate.secrets),
  } as const;
  return { ok: false, text: shown, failure };
}

function failed(failure: ToolFailure): ScriptResult {
  return { ok: false, text: textOf(failure), failure };
}

function endOf({
  ok,
  exitCode,
  timedOut,
  canceled,
  truncated,
  durationMs,
  unenforced,
  network,
  failure,
}: ExecutionReceipt) {
  const code = failure?.code;
  const facts = { ok, exitCode, timedOut, canceled, truncated, durationMs, unenforced, code };
  return { ...facts, ...networkFacts(network) };
}

function textOf({ message, hint }: { readonly message: string; readonly hint?: string }): string {
  return promptText(hint === undefined || message.includes(hint) ? message : `${message}\n${hint}`);
}
