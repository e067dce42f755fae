import type { Failure, SkillTool, ToolContext } from "@skillwright/core";
import type { CommandOptions } from "../workspace/command/command-runner.ts";
import {
  commandAnswer,
  type CommandCall,
  type CommandValues,
  DEFAULT_TIMEOUT_SECONDS,
  readCommandCall,
} from "../workspace/command/run-command.ts";
import { forPrompt, type WorkspaceTool } from "../workspace/input/define-workspace-tool.ts";
import { openWorkspace } from "../workspace/workspace.ts";
import type { GuardWorkspaceOptions } from "./guard-workspace-options.ts";
import { restoreTexts } from "./model-text.ts";

/**
 * `run_command` behind the gate. What policy sees, what is approved and what runs is one argument list
 * in one folder; only the values of secrets are put in last. A command that runs a script of a skill is not decided on here: the way of scripts
 * has its own gate, for the script and its digest.
 */
export function guardCommand(tool: WorkspaceTool, options: GuardWorkspaceOptions): SkillTool {
  const { gate } = options;
  const { commandRunner: runner, commandTimeoutSeconds = DEFAULT_TIMEOUT_SECONDS } =
    options.workspace;
  const workspace = openWorkspace(options.workspace);
  return {
    ...tool,
    async execute(input, context = {}) {
      // Without a runner nothing can happen; the tool says so.
      if (runner === undefined || context.signal?.aborted === true) {
        return tool.execute(input, context);
      }
      const read = tool.readInput(input);
      if (!read.ok) return read;
      const values: CommandValues = read.values;
      const asked = await readCommandCall(values, workspace, commandTimeoutSeconds);
      if (!asked.ok) return asked;
      // A command that is denied under the name it was given stays denied.
      const given = { tool: tool.name, input: commandInput(asked), cwd: asked.cwd };
      const actual = runner.actualCommand?.(asked.argv) ?? asked.argv;
      const isDenied = actual !== asked.argv && (await gate.decide(given)) === "deny";
      const call = isDenied ? asked : { ...asked, argv: actual };
      const { argv, cwd } = call;
      const how = howToRun(call, options, context);
      const script = runner.scriptOf?.(argv, cwd);
      if (script?.ok === true && runner.runScript !== undefined) {
        const result = await runner.runScript(script, how);
        if (result.failure !== undefined) return result.failure;
        return forPrompt(commandAnswer(argv, result, workspace.maxOutputBytes));
      }
      if (script !== undefined) return script.ok ? notHere() : script;
      const restored = restoreTexts(argv, gate.secrets);
      if (restored.problem !== undefined) return restored.problem;
      const approved = commandInput(call);
      const passed = await gate.pass(
        {
          tool: tool.name,
          input: approved,
          restoredInput: commandInput({ ...call, argv: restored.values }),
          secretNames: restored.names,
          cwd,
          command: argv,
          ...runner.bounds,
        },
        context,
      );
      if (!passed.ok) return passed;
      await gate.recordCall(tool.name, approved);
      const result = await runner.runCommand(restored.values, how);
      gate.audit.append({ event: "tool-end", data: { tool: tool.name, ok: result.ok } });
      const seen = { ...result, text: gate.secrets.hideOutput(result.text) };
      return forPrompt(commandAnswer(argv, seen, workspace.maxOutputBytes));
    },
    toText: (result) => tool.toText(result),
  };
}

/** In one form, whatever names and whatever way of quoting a model used. */
function commandInput({ argv, folder, timeoutMs }: Omit<CommandCall, "ok" | "cwd">) {
  return { argv, ...(folder !== "." && { cwd: folder }), timeout_seconds: timeoutMs / 1000 };
}

function howToRun(
  { cwd, timeoutMs }: CommandCall,
  { workspace: { onOutput } }: GuardWorkspaceOptions,
  { signal }: ToolContext,
): CommandOptions {
  return { cwd, timeoutMs, ...(signal && { signal }), ...(onOutput && { onOutput }) };
}

function notHere(): Failure<"sandbox-missing"> {
  const message = "scripts of skills cannot be run here";
  return { ok: false, code: "sandbox-missing", message };
}
