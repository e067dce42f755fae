import type { ScriptExecutor, SkillRecord, SkillTool } from "@skillwright/core";
import { type ToolFailure, defined, isBelow } from "@skillwright/core/internal";
import { resolve } from "node:path";
import { type ExecutionReceipt, receiptText } from "../execution/executor.ts";
import { withActualProgram } from "../execution/find-program.ts";
import type {
  CommandOptions,
  CommandResult,
  CommandRunner,
  CommandScript,
} from "../workspace/command/command-runner.ts";
import {
  findSkillScript,
  findUnknownScript,
  hiddenScripts,
  skillScriptFolders,
} from "../workspace/command/skill-scripts.ts";
import { createScriptExecutor } from "./create-script-executor.ts";
import { failureText } from "./model-text.ts";
import { runRecorded, type ScriptExecutorOptions } from "./run-recorded.ts";

/** The options of scripts in the same run. */
export interface CommandRunnerOptions extends ScriptExecutorOptions {
  /** The working directory: all that commands see of the user's files. */
  readonly root: string;
  /** Every skill that is known now, also those that a model may not use. */
  readonly skills: () => readonly SkillRecord[];
}

/**
 * Runs commands in the sandbox of scripts, without network. It does not decide whether a command may
 * run: `guardWorkspace` does. A command that runs a script of a skill is run as that script, behind its
 * own gate.
 */
export function createCommandRunner(options: CommandRunnerOptions): CommandRunner {
  const { sandbox, root, skills, writable = [] } = options;
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
      if (script === undefined) return runProgram(argv, call, options);
      if (script.ok) return runScript(script, call);
      const { code, message, hint } = script;
      return { ok: false, text: message, code, ...defined({ hint }) };
    },
  };
}

async function runAsScript(
  { skill, script, args }: CommandScript,
  { cwd, timeoutMs, signal, changesMayWait, probe, onOutput = () => {} }: CommandOptions,
  options: CommandRunnerOptions,
): Promise<CommandResult> {
  const { root, limits, writable = [] } = options;
  const isFresh = options.cwd === "fresh";
  const scripts = createScriptExecutor({
    ...options,
    cwd: isFresh ? "fresh" : cwd,
    limits: { ...limits, timeoutMs },
    // A script sees its working directory only, so only the writable places in it count.
    writable: isFresh
      ? writable
      : writable.map((place) => resolve(root, place)).filter((path) => isBelow(cwd, path)),
    onOutput,
  });
  const result = await scripts.run(
    { skill, script, args },
    defined({ signal, changesMayWait, probe }),
  );
  return { ...result, hidesSecrets: true };
}

async function runProgram(
  argv: readonly string[],
  { cwd, timeoutMs, signal, onOutput, repeats }: CommandOptions,
  options: CommandRunnerOptions,
): Promise<CommandResult> {
  const { gate, executor, root, skills, sandbox, limits, writable = [], changes } = options;
  const known = skillScriptFolders(skills());
  const { receipt, text, unanswered } = await runRecorded({
    gate,
    executor,
    kind: "command",
    facts: { sandbox },
    start: { argv: argv.map((word) => gate.secrets.mask(word)), cwd, writable },
    request: {
      argv,
      root,
      cwd,
      writable,
      limits: { ...limits, timeoutMs },
      hidden: hiddenScripts(known, skills(), root),
    },
    by: argv[0] ?? "",
    signal,
    toText: commandText,
    ...defined({ onOutput, changes, repeats }),
  });
  const { ok, exitCode, timedOut, truncated, failure } = receipt;
  const facts = { text, hidesSecrets: true, exitCode, timedOut, truncated };
  if (unanswered === undefined) return { ok, ...facts, ...defined({ code: failure?.code }) };
  const waiting = { ...unanswered, message: text, receipt };
  return { ok: false, ...facts, code: unanswered.code, failure: waiting };
}

/** Unlike a script's, the result of a command is both its outputs: programs use either for anything. */
function commandText(receipt: ExecutionReceipt): string {
  const { ok, stdout, stderr } = receipt;
  if (!ok || stderr.trim() === "") return receiptText(receipt);
  return [stdout.trimEnd(), `stderr:\n${stderr.trimEnd()}`]
    .filter((part) => part !== "")
    .join("\n");
}

/**
 * For the preset `sop`: its `run_shell_command` is the guarded `run_command` under another name and
 * with nothing but a command line.
 */
export function commandLineRunner(tool: SkillTool): NonNullable<ScriptExecutor["runCommand"]> {
  return async (command, context) => {
    const result = await tool.execute({ command }, context);
    const { ok, ...given } = Object(result) as Partial<ToolFailure>;
    if (ok !== false) return { ok: true, text: tool.toText(result) };
    const failure = { code: "command-failed", message: "the command failed", ...given, ok };
    return { ok: false, text: failureText(failure), failure };
  };
}
