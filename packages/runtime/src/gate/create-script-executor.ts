import { randomUUID } from "node:crypto";
import type { ScriptExecutor, ScriptRequest, ScriptResult, ToolContext } from "@skillwright/core";
import { createStreamRedactor } from "../audit/redaction/create-stream-redactor.ts";
import { redactCutOutput } from "../audit/redaction/redact-cut-output.ts";
import type { Redactor } from "../audit/redaction/redactor.ts";
import type { ExecutionReceipt } from "../execution/execution-receipt.ts";
import type { ExecutionLimits, ExecutionRequest } from "../execution/execution-request.ts";
import type { ExecutionContext, Executor } from "../execution/executor.ts";
import { receiptText } from "../execution/receipt-text.ts";
import type { Gate } from "./gate.ts";
import { type InspectedScript, inspectScript } from "./inspect-script.ts";

type OnOutput = NonNullable<ExecutionContext["onOutput"]>;

export interface ScriptExecutorOptions {
  /** Its record knows what is secret: nothing of that leaves a script either. */
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
      if (!inspected.ok) return { ok: false, text: textOf(inspected) };
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
  { snapshot, text, policySkill }: InspectedScript,
  { signal }: ToolContext,
  options: ScriptExecutorOptions,
): Promise<ScriptResult> {
  const { gate, executor, sandbox, cwd, limits, writable = [], network = "none" } = options;
  const { digest } = snapshot;
  const passed = await gate.pass(
    {
      tool: "run_script",
      input: { skill_name: name, script_file: script, args },
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
  if (!passed.ok) return { ok: false, text: textOf(passed) };
  const common = { id: randomUUID(), skill: name, digest, script };
  gate.audit.append({ event: "script-start", data: { ...common, args, cwd, sandbox } });
  const skill = { name, path, digest, snapshot };
  const request = { skill, script, args, cwd, writable, network, ...(limits && { limits }) };
  const { redactor } = gate.audit;
  const output = options.onOutput && redactedOutput(options.onOutput, redactor);
  const receipt = await executor.run(request, {
    ...(signal && { signal }),
    ...(output && { onOutput: output.write }),
  });
  output?.end();
  gate.audit.append({ event: "script-end", data: { ...common, ...endOf(receipt) } });
  return { ok: receipt.ok, text: redactCutOutput(receiptText(receipt), redactor) };
}

/** Each stream by itself: what is between two parts of a secret belongs to the other one. */
function redactedOutput(onOutput: OnOutput, redactor: Redactor) {
  const streams = {
    stdout: createStreamRedactor(redactor),
    stderr: createStreamRedactor(redactor),
  };
  const pass = (text: string, stream: keyof typeof streams) => {
    if (text !== "") onOutput(text, stream);
  };
  return {
    write: (text: string, stream: keyof typeof streams) =>
      pass(streams[stream].write(text), stream),
    end() {
      pass(streams.stdout.end(), "stdout");
      pass(streams.stderr.end(), "stderr");
    },
  };
}

function endOf({
  ok,
  exitCode,
  timedOut,
  canceled,
  truncated,
  durationMs,
  unenforced,
  failure,
}: ExecutionReceipt) {
  const code = failure?.code;
  return { ok, exitCode, timedOut, canceled, truncated, durationMs, unenforced, code };
}

function textOf({ message, hint }: { readonly message: string; readonly hint?: string }): string {
  return hint === undefined || message.includes(hint) ? message : `${message}\n${hint}`;
}
