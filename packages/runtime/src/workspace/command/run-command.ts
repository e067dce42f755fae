import type { Failure } from "@skillwright/core";
import { defined } from "@skillwright/core/internal";
import { join } from "node:path";
import { type SplitCommand, splitCommand } from "../../policy/match-commands.ts";
import { folderFailure, openFolder } from "../confinement/open-folder.ts";
import { resolveInside } from "../confinement/workspace-path.ts";
import {
  type CommandResult,
  defineWorkspaceTool,
  type Workspace,
  type WorkspaceOptions,
  type WorkspaceTool,
} from "../workspace.ts";

/** A call of `run_command`, exactly as it is carried out. */
export interface CommandCall {
  readonly ok: true;
  readonly argv: readonly string[];
  /** Absolute, inside the working directory, and no link. */
  readonly cwd: string;
  /** The same from the working directory; `.` for that itself. */
  readonly folder: string;
  readonly timeoutMs: number;
}

export interface CommandValues {
  readonly command?: string | readonly string[] | undefined;
  readonly argv?: readonly string[] | undefined;
  readonly cwd?: string | undefined;
  readonly timeout_seconds?: number | undefined;
}

/** What the parameters of `run_command` mean, or why they mean nothing. */
export async function readCommandCall(
  { command, argv, cwd = ".", timeout_seconds }: CommandValues,
  workspace: Workspace,
  timeoutSeconds: number,
): Promise<CommandCall | Failure> {
  const split = readCommand(command, argv);
  if (!split.ok) return split;
  const resolved = await resolveInside(cwd, workspace);
  if (!resolved.ok) return resolved;
  const { root, real, segments } = resolved;
  const opened = openFolder(root, real);
  if (!opened.ok) return folderFailure(opened.reason, segments);
  opened.folder.close();
  return {
    ok: true,
    argv: split.argv,
    cwd: join(root, ...real),
    folder: real.join("/") || ".",
    timeoutMs: Math.min(timeout_seconds ?? timeoutSeconds, timeoutSeconds) * 1000,
  };
}

function readCommand(
  command: string | readonly string[] | undefined,
  argv: readonly string[] = [],
): SplitCommand | Failure {
  // Some models give the program in one and its arguments in the other; that could be misread.
  if (argv.length > 0 && command !== undefined) return invalid("both command and argv are given");
  const words = argv.length > 0 ? argv : command;
  if (words === undefined || words.length === 0) {
    return invalid("neither command nor argv is given");
  }
  if (typeof words === "string") return splitCommand(words);
  const [program = "", ...others] = words;
  if (program === "" || words.some((word) => word.includes("\0"))) {
    return invalid("argv has an empty program or a NUL");
  }
  // One word with blanks is a command line that was given as a list.
  const isLine = others.length === 0 && /\s/.test(program);
  return isLine ? splitCommand(program) : { ok: true, argv: words };
}

function invalid(message: string): Failure<"input-invalid"> {
  const hint = 'Give a JSON object with "command": a command line, or "argv": a list of strings.';
  return { ok: false, code: "input-invalid", message, hint };
}

/** Head and tail of a long output, cut at characters, with a note of what is missing. */
function fitOutput(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const half = Math.floor(maxBytes / 2);
  const [start, end] = [boundary(bytes, half), boundary(bytes, bytes.length - half)];
  const [head, tail] = [bytes.subarray(0, start), bytes.subarray(end)].map(String);
  return `${head}\n[… ${end - start} bytes left out …]\n${tail}`;
}

/** The nearest place before that does not divide a character. */
function boundary(bytes: Buffer, at: number): number {
  let place = at;
  while (place > 0 && ((bytes[place] ?? 0) & 0xc0) === 0x80) place--;
  return place;
}

interface RunCommandResult {
  readonly ok: true;
  readonly argv: readonly string[];
  readonly text: string;
  readonly truncated: boolean;
  readonly exitCode?: number | null;
}

export const DEFAULT_TIMEOUT_SECONDS = 60;

export function runCommandTool(
  workspace: Workspace,
  { commandRunner, commandTimeoutSeconds, onOutput }: WorkspaceOptions,
): WorkspaceTool {
  const timeoutSeconds = commandTimeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
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
      },
      argv: { type: "strings", optional: true, private: true },
      cwd: { type: "string", optional: true },
      timeout_seconds: { type: "integer", minimum: 1, maximum: timeoutSeconds, optional: true },
    },
    run: async (values, { signal }) => {
      if (commandRunner === undefined) return missingRunner();
      const call = await readCommandCall(values, workspace, timeoutSeconds);
      if (!call.ok) return call;
      const { argv, cwd, timeoutMs } = call;
      const how = { cwd, timeoutMs, ...defined({ signal, onOutput }) };
      const result = await commandRunner.runCommand(argv, how);
      return commandAnswer(argv, result, workspace.maxOutputBytes);
    },
    toText: ({ text, exitCode = 0 }) => (text === "" ? `(no output; exit code ${exitCode})` : text),
  });
}

/** What the tool gives for what a runner gave. */
export function commandAnswer(
  argv: readonly string[],
  { ok, text, exitCode, code = "command-failed", hint, truncated = false }: CommandResult,
  maxOutputBytes: number,
): RunCommandResult | Failure {
  const fitting = fitOutput(text, maxOutputBytes);
  if (!ok) return { ok, code, message: fitting, ...defined({ hint }) };
  const isCut = truncated || fitting !== text;
  return { ok, argv, text: fitting, truncated: isCut, ...defined({ exitCode }) };
}

function missingRunner(): Failure<"sandbox-missing"> {
  return {
    ok: false,
    code: "sandbox-missing",
    message: "commands cannot be run here: no sandbox is attached",
    hint: "The host has to give a command runner.",
  };
}
