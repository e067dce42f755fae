import type { Failure, ToolContext } from "@skillwright/core";
import { defineWorkspaceTool, type WorkspaceTool } from "../input/define-workspace-tool.ts";
import type { Workspace } from "../workspace.ts";
import { type CommandCall, readCommandCall } from "./command-call.ts";
import type { CommandResult, CommandRunner } from "./command-runner.ts";
import { fitOutput } from "./fit-output.ts";

interface RunCommandResult {
  readonly ok: true;
  readonly argv: readonly string[];
  readonly text: string;
  readonly truncated: boolean;
  readonly exitCode?: number | null;
}

export const DEFAULT_TIMEOUT_SECONDS = 60;

export interface CommandToolOptions {
  readonly runner: CommandRunner | undefined;
  readonly timeoutSeconds: number;
  readonly onOutput: ((text: string, stream: "stdout" | "stderr") => void) | undefined;
}

export function runCommandTool(workspace: Workspace, options: CommandToolOptions): WorkspaceTool {
  const { timeoutSeconds } = options;
  return defineWorkspaceTool({
    name: "run_command",
    description:
      'Runs a program in the sandbox, without a shell. For pipes and the like: argv ["bash", "-c", "…"].',
    parameters: {
      command: {
        type: "words",
        optional: true,
        private: true,
        description: "A command line. Give this or argv.",
        otherNames: ["cmd", "command_line"],
      },
      argv: {
        type: "strings",
        optional: true,
        private: true,
        description: "Program and arguments.",
        otherNames: ["args", "arguments"],
      },
      cwd: {
        type: "string",
        optional: true,
        description: "Folder to run in.",
        otherNames: ["directory", "dir", "working_directory", "workdir"],
      },
      timeout_seconds: {
        type: "integer",
        minimum: 1,
        maximum: timeoutSeconds,
        optional: true,
        description: `At most ${timeoutSeconds}.`,
        otherNames: ["timeout"],
      },
    },
    run: async (values, context) => {
      const { runner } = options;
      if (runner === undefined) return missingRunner();
      const call = await readCommandCall(values, workspace, timeoutSeconds);
      return call.ok ? runWorkspaceCommand(call, workspace, { ...options, runner }, context) : call;
    },
    toText: ({ text, exitCode = 0 }) => (text === "" ? `(no output; exit code ${exitCode})` : text),
  });
}

async function runWorkspaceCommand(
  { argv, cwd, timeoutMs }: CommandCall,
  { maxOutputBytes }: Workspace,
  { runner, onOutput }: CommandToolOptions & { readonly runner: CommandRunner },
  { signal }: ToolContext,
): Promise<RunCommandResult | Failure> {
  const result = await runner.runCommand(argv, {
    cwd,
    timeoutMs,
    ...(signal !== undefined && { signal }),
    ...(onOutput !== undefined && { onOutput }),
  });
  return commandAnswer(argv, result, maxOutputBytes);
}

/** What the tool gives for what a runner gave. */
export function commandAnswer(
  argv: readonly string[],
  { ok, text, exitCode, code = "command-failed", hint, ...result }: CommandResult,
  maxOutputBytes: number,
): RunCommandResult | Failure {
  const fitting = fitOutput(text, maxOutputBytes);
  if (!ok) {
    return { ok, code, message: fitting.text, ...(hint !== undefined && { hint }) };
  }
  const truncated = fitting.truncated || result.truncated === true;
  return { ok, argv, text: fitting.text, truncated, ...(exitCode !== undefined && { exitCode }) };
}

function missingRunner(): Failure<"sandbox-missing"> {
  return {
    ok: false,
    code: "sandbox-missing",
    message: "commands cannot be run here: no sandbox is attached",
    hint: "The host has to give a command runner.",
  };
}
