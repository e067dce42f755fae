import { join } from "node:path";
import type { Failure, ToolContext } from "@skillwright/core";
import { folderFailure } from "../confinement/folder-problem.ts";
import { openFolder } from "../confinement/open-folder.ts";
import { resolveInside } from "../confinement/resolve-inside.ts";
import { defineWorkspaceTool, type WorkspaceTool } from "../input/define-workspace-tool.ts";
import type { Workspace } from "../workspace.ts";
import type { CommandRunner } from "./command-runner.ts";
import { fitOutput } from "./fit-output.ts";
import { type SplitCommand, splitCommand } from "./split-command.ts";

interface RunCommandResult {
  readonly ok: true;
  readonly argv: readonly string[];
  readonly text: string;
  readonly truncated: boolean;
  readonly exitCode?: number | null;
}

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
      "Runs one program with its arguments in the working directory, in a sandbox and without a shell: no pipes, variables or redirections.",
    parameters: {
      command: {
        type: "string",
        optional: true,
        private: true,
        description: 'The command line, such as "git log -n 5". Give this or argv.',
        otherNames: ["cmd", "command_line"],
      },
      argv: {
        type: "strings",
        optional: true,
        private: true,
        description: "The program and its arguments, each as it is.",
        otherNames: ["args", "arguments"],
      },
      cwd: {
        type: "string",
        optional: true,
        description: "The folder to run in, relative to the working directory.",
        otherNames: ["directory", "dir", "working_directory", "workdir"],
      },
      timeout_seconds: {
        type: "integer",
        minimum: 1,
        maximum: timeoutSeconds,
        optional: true,
        description: `When to stop it. Default and limit: ${timeoutSeconds}.`,
        otherNames: ["timeout"],
      },
    },
    run: async ({ command, argv, cwd = ".", timeout_seconds = timeoutSeconds }, context) => {
      const split = readCommand(command, argv);
      if (!split.ok) return split;
      const call = { argv: split.argv, cwd, timeoutMs: timeout_seconds * 1000 };
      return runWorkspaceCommand(workspace, options, call, context);
    },
    toText: ({ text }) => (text === "" ? "The command wrote nothing." : text),
  });
}

function readCommand(
  command: string | undefined,
  argv: readonly string[] | undefined,
): SplitCommand | Failure {
  if (argv !== undefined && argv.length > 0) {
    // Some models give the program in one and its arguments in the other; that could be misread.
    if (command !== undefined) return invalid("both command and argv are given");
    if (argv[0] === "" || argv.some((word) => word.includes("\0"))) {
      return invalid("argv has an empty program or a NUL");
    }
    return { ok: true, argv };
  }
  return command === undefined
    ? invalid("neither command nor argv is given")
    : splitCommand(command);
}

async function runWorkspaceCommand(
  workspace: Workspace,
  { runner, onOutput }: CommandToolOptions,
  call: { readonly argv: readonly string[]; readonly cwd: string; readonly timeoutMs: number },
  { signal }: ToolContext,
): Promise<RunCommandResult | Failure> {
  if (runner === undefined) return missingRunner();
  const { argv, cwd, timeoutMs } = call;
  const resolved = await resolveInside(cwd, workspace);
  if (!resolved.ok) return resolved;
  const opened = openFolder(resolved.root, resolved.real);
  if (!opened.ok) return folderFailure(opened.reason, resolved.segments);
  opened.folder.close();
  const result = await runner.runCommand(argv, {
    cwd: join(resolved.root, ...resolved.real),
    timeoutMs,
    ...(signal !== undefined && { signal }),
    ...(onOutput !== undefined && { onOutput }),
  });
  const { text, truncated } = fitOutput(result.text, workspace.maxOutputBytes);
  if (!result.ok) return { ok: false, code: "command-failed", message: text };
  const { exitCode } = result;
  return { ok: true, argv, text, truncated, ...(exitCode !== undefined && { exitCode }) };
}

function invalid(message: string): Failure<"input-invalid"> {
  const hint = 'Give a JSON object with "command": a command line, or "argv": a list of strings.';
  return { ok: false, code: "input-invalid", message, hint };
}

function missingRunner(): Failure<"sandbox-missing"> {
  return {
    ok: false,
    code: "sandbox-missing",
    message: "commands cannot be run here: no sandbox is attached",
    hint: "The host has to give a command runner.",
  };
}
