import type { ScriptExecutor, SkillRecord, SkillTool } from "@skillwright/core";
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import type { CommandExecutor } from "../execution/commands/command-executor.ts";
import { createCommandExecutor } from "../execution/commands/create-command-executor.ts";
import { isBelow } from "../execution/control-files.ts";
import type { ExecutionReceipt } from "../execution/executor.ts";
import { withActualProgram } from "../execution/find-program.ts";
import type {
  CommandOptions,
  CommandResult,
  CommandRunner,
  CommandScript,
} from "../workspace/command/command-runner.ts";
import { commandText } from "../workspace/command/command-text.ts";
import {
  findSkillScript,
  hiddenScripts,
  skillScriptFolders,
} from "../workspace/command/skill-scripts.ts";
import { findUnknownScript, unknownScriptFolders } from "../workspace/command/unknown-scripts.ts";
import { createScriptExecutor, type ScriptExecutorOptions } from "./create-script-executor.ts";
import { networkFacts, redactedOutput } from "./run-output.ts";

/** The options that scripts are run with, for the same run. */
export interface CommandRunnerOptions extends ScriptExecutorOptions {
  /** The working directory: all that commands see of the user's files. */
  readonly root: string;
  /** Every skill that is known now, also those that a model may not use. */
  readonly skills: () => readonly SkillRecord[];
}

/**
 * Runs commands in the sandbox of scripts, without network. It does not decide whether a command may
 * run: `guardWorkspace` does. A command that runs a script of a skill takes the way of scripts, which
 * decide for themselves.
 */
export function createCommandRunner(options: CommandRunnerOptions): CommandRunner {
  const { executor, sandbox, root, skills, writable = [] } = options;
  const programs = createCommandExecutor({ executor, sandbox });
  const scriptOf = (argv: readonly string[], cwd: string) =>
    findSkillScript(argv, cwd, skillScriptFolders(skills())) ?? findUnknownScript(argv, cwd);
  const runScript = (script: CommandScript, call: CommandOptions) =>
    runAsScript(script, call, options);
  return {
    bounds: { sandbox, writable: writable.map((place) => resolve(root, place)) },
    actualCommand: withActualProgram,
    scriptOf,
    runScript,
    async runCommand(argv, call) {
      const script = scriptOf(argv, call.cwd);
      if (script === undefined) return runProgram(argv, call, programs, options);
      if (script.ok) return runScript(script, call);
      const { code, message, hint } = script;
      return { ok: false, text: message, code, ...(hint !== undefined && { hint }) };
    },
  };
}

async function runAsScript(
  { skill, script, args }: CommandScript,
  { cwd, timeoutMs, signal, onOutput = () => {} }: CommandOptions,
  options: CommandRunnerOptions,
): Promise<CommandResult> {
  const { root, limits, writable = [] } = options;
  const isFresh = options.cwd === "fresh";
  const scripts = createScriptExecutor({
    ...options,
    cwd: isFresh ? "fresh" : cwd,
    limits: { ...limits, timeoutMs },
    // A script sees its own folder only, so of the writable places those that lie in it.
    writable: isFresh
      ? writable
      : writable.map((place) => resolve(root, place)).filter((path) => isBelow(cwd, path)),
    onOutput,
  });
  return scripts.run({ skill, script, args }, signal === undefined ? {} : { signal });
}

async function runProgram(
  argv: readonly string[],
  { cwd, timeoutMs, signal, onOutput }: CommandOptions,
  programs: CommandExecutor,
  { gate, root, skills, sandbox, limits, writable = [] }: CommandRunnerOptions,
): Promise<CommandResult> {
  const { audit, secrets } = gate;
  const id = randomUUID();
  const shown = argv.map((word) => secrets.mask(word));
  await gate.record({
    event: "command-start",
    data: { id, argv: shown, cwd, sandbox, writable },
  });
  const output = onOutput && redactedOutput(onOutput, audit.redactor);
  const receipt = await programs.runProgram(
    {
      argv,
      root,
      cwd,
      writable,
      limits: { ...limits, timeoutMs },
      hidden: hiddenFolders(skills(), root),
    },
    { ...(signal && { signal }), ...(output && { onOutput: output.write }) },
  );
  output?.end();
  audit.append({ event: "command-end", data: { id, ...endOf(receipt) } });
  const { ok, exitCode, timedOut, truncated, failure } = receipt;
  const text = commandText(receipt);
  return { ok, text, exitCode, timedOut, truncated, ...(failure && { code: failure.code }) };
}

function hiddenFolders(skills: readonly SkillRecord[], root: string): readonly string[] {
  const known = hiddenScripts(skillScriptFolders(skills), root);
  return [...known, ...unknownScriptFolders(skills, root, known)];
}

function endOf(receipt: ExecutionReceipt) {
  const { stdout: _out, stderr: _error, failure, network, ...facts } = receipt;
  return { ...facts, code: failure?.code, ...networkFacts(network) };
}

/**
 * For the preset `sop`: its `run_shell_command` is the guarded `run_command` under another name and
 * with nothing but a command line.
 */
export function commandLineRunner(tool: SkillTool): NonNullable<ScriptExecutor["runCommand"]> {
  return async (command, context) => {
    const result = await tool.execute({ command }, context);
    const failure = failureOf(result);
    if (failure === undefined) return { ok: true, text: tool.toText(result) };
    const { message, hint } = failure;
    const isSaid = hint === undefined || message.includes(hint);
    return { ok: false, text: isSaid ? message : `${message}\n${hint}` };
  };
}

function failureOf(
  result: unknown,
): { readonly message: string; readonly hint?: string } | undefined {
  if (typeof result !== "object" || result === null) return undefined;
  const { ok, message, hint } = result as Partial<Record<string, unknown>>;
  if (ok !== false) return undefined;
  return {
    message: typeof message === "string" ? message : "the command failed",
    ...(typeof hint === "string" && { hint }),
  };
}
