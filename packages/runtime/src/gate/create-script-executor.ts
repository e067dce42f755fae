import { randomUUID } from "node:crypto";
import type { ScriptExecutor, ScriptRequest, ScriptResult, ToolContext } from "@skillwright/core";
import type { ExecutionLimits, ExecutionRequest } from "../execution/execution-request.ts";
import type { Executor } from "../execution/executor.ts";
import { receiptText } from "../execution/receipt-text.ts";
import type { Gate } from "./gate.ts";
import { inspectScript } from "./inspect-script.ts";

export interface ScriptExecutorOptions {
  readonly gate: Gate;
  readonly executor: Executor;
  /** Shown to who approves: `bubblewrap`, or `none` where nothing holds the process. */
  readonly sandbox: string;
  readonly cwd: string;
  readonly limits?: ExecutionLimits;
  readonly network?: ExecutionRequest["network"];
  readonly writable?: readonly string[];
  readonly onOutput?: (text: string) => void;
}

const RUNNABLE = /\.(?:py|sh|bash|js|mjs|cjs|ts|rb|pl)$/i;

/**
 * Runs scripts of skills for core's tools: past the gate, from a snapshot whose digest is the one that
 * was approved, with its start and end in the record.
 */
export function createScriptExecutor(options: ScriptExecutorOptions): ScriptExecutor {
  return {
    canRun: (path) => RUNNABLE.test(path),
    run: (request, context) => runScript(request, context, options),
  };
}

async function runScript(
  { skill, script, args }: ScriptRequest,
  { signal }: ToolContext,
  options: ScriptExecutorOptions,
): Promise<ScriptResult> {
  const {
    gate,
    executor,
    sandbox,
    cwd,
    limits,
    writable = [],
    network = "none",
    onOutput,
  } = options;
  const path = script.startsWith("scripts/") ? script : `scripts/${script}`;
  const inspected = await inspectScript(skill, path);
  if (!inspected.ok) return { ok: false, text: textOf(inspected) };
  const { digest, text, policySkill } = inspected;
  const { name, source } = skill;
  const passed = await gate.pass(
    {
      tool: "run_script",
      input: { skill_name: name, script_file: path, args },
      cwd,
      skill: { name, source, digest },
      script: { path, args, text },
      sandbox,
      writable,
      network: network === "none" ? "none" : network.domains,
      policySkill,
    },
    signal ? { signal } : {},
  );
  if (!passed.ok) return { ok: false, text: textOf(passed) };
  const id = randomUUID();
  const common = { id, skill: name, digest, script: path };
  gate.audit.append({ event: "script-start", data: { ...common, args, cwd, sandbox } });
  const receipt = await executor.run(
    {
      skill: { name, path: skill.path, digest },
      script: path,
      args,
      cwd,
      writable,
      network,
      ...(limits && { limits }),
    },
    { ...(signal && { signal }), ...(onOutput && { onOutput }) },
  );
  const { ok, exitCode, timedOut, truncated, durationMs, unenforced, failure } = receipt;
  const ended = { ok, exitCode, timedOut, truncated, durationMs, unenforced, code: failure?.code };
  gate.audit.append({ event: "script-end", data: { ...common, ...ended } });
  return { ok, text: receiptText(receipt) };
}

function textOf({ message, hint }: { readonly message: string; readonly hint?: string }): string {
  return hint === undefined || message.includes(hint) ? message : `${message}\n${hint}`;
}
