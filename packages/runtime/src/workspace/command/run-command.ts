import type { Failure, SkillRecord } from "@skillwright/core";
import { defined, type ToolFailure } from "@skillwright/core/internal";
import { join } from "node:path";
import type { RepeatableCall } from "../../changes/change.ts";
import { folderFailure, openFolder } from "../confinement/open-folder.ts";
import { resolveInside } from "../confinement/workspace-path.ts";
import {
  defineWorkspaceTool,
  type Workspace,
  type WorkspaceOptions,
  type WorkspaceTool,
} from "../workspace.ts";

/** Runs a program in the sandbox. `createCommandRunner` makes one. */
export interface CommandRunner {
  /** What holds a command; shown in approvals. */
  readonly bounds?: CommandBounds;
  /** The command with the program that would run, such as `python3` where there is no `python`. */
  actualCommand?(argv: readonly string[]): readonly string[];
  /**
   * The script of a skill that a command runs. Callers that decide about commands must ask this first:
   * such a command is decided on as a script, and carried out by `runScript`. A failure is a command that
   * names a script and cannot be run as one.
   */
  scriptOf?(argv: readonly string[], cwd: string): CommandScript | Failure | undefined;
  /** Under the policy of scripts, from a snapshot, by the digest that was approved. */
  runScript?(script: CommandScript, options: CommandOptions): Promise<CommandResult>;
  /**
   * `argv` goes to the process as it is; no shell sees it. A program that is a script of a skill must
   * be run as that: with its policy, snapshot and digest. Expected failures are values.
   */
  runCommand(argv: readonly string[], options: CommandOptions): Promise<CommandResult>;
}

interface CommandBounds {
  /** `bubblewrap`, or `none` where nothing holds the process. */
  readonly sandbox: string;
  readonly writable: readonly string[];
}

/** A command line that means: run this script of this skill. */
export interface CommandScript {
  readonly ok: true;
  readonly skill: SkillRecord;
  /** Below the skill: `scripts/join.py`. */
  readonly script: string;
  readonly args: readonly string[];
}

export interface CommandOptions {
  /** Absolute, inside the working directory, and no link. */
  readonly cwd: string;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
  /** What `Gate.repeatable` gave for this call. */
  readonly repeats?: RepeatableCall;
  /** As in the context of a tool: a script is only asked about. */
  readonly probe?: (request: unknown) => void;
  readonly changesMayWait?: boolean;
}

export interface CommandResult {
  readonly ok: boolean;
  /** What the model gets to read. */
  readonly text: string;
  /** Values of secrets are hidden in the text already. */
  readonly hidesSecrets?: boolean;
  readonly exitCode?: number | null;
  readonly timedOut?: boolean;
  /** Something of the output was left out already. */
  readonly truncated?: boolean;
  /** Why nothing ran, where that is known. */
  readonly code?: string;
  readonly hint?: string;
  /** The same as a value for the host, where a script did not succeed or changes are not decided on. */
  readonly failure?: ToolFailure;
}

type SplitCommand =
  | { readonly ok: true; readonly argv: readonly string[] }
  | Failure<"command-unclear">;

const MAX_LENGTH = 10_000;
/** What a shell would act on outside quotes. */
const SHELL_SIGNS = /[|&;<>()$`*?[\]{}~#!^\n\r]/;
/** What it would act on inside double quotes. History expansion leaves `!=` and `! ` alone. */
const QUOTED_SIGNS = /^(?:[$`\r]|!(?![ \t\n=]))/;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/;

/**
 * The words of a command line that is one program with its arguments. There is no shell: whatever needs
 * one is refused, and what is accepted means the same in every shell.
 */
export function splitCommand(line: string): SplitCommand {
  if (line.length > MAX_LENGTH) return unclear("it is too long");
  if (CONTROLS.test(line)) return unclear("it has control characters");
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i);
    const next = line.charAt(i + 1);
    if (quote !== "" && char === quote) quote = "";
    else if (quote === "'") word += char;
    else if (quote === '"' && char === "\\" && /["\\$`\n]/.test(next)) {
      // A shell joins the two lines.
      if (next !== "\n") word += next;
      i++;
    } else if (quote === '"') {
      if (QUOTED_SIGNS.test(char + next)) return shellOnly(char, "inside double quotes");
      word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= "";
    } else if (char === "\\") {
      if (next === "" || next === "\n") return unclear("it ends in a backslash");
      word = (word ?? "") + next;
      i++;
    } else if (char === " " || char === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (SHELL_SIGNS.test(char)) return shellOnly(char, "outside quotes");
    else word = (word ?? "") + char;
  }
  if (quote !== "") return unclear("a quote is not closed");
  if (word !== undefined) words.push(word);
  const [program] = words;
  if (program === undefined || program === "") return unclear("it names no program");
  if (/^\w+=/.test(program)) return unclear("it begins with a variable");
  return { ok: true, argv: words };
}

function shellOnly(char: string, where: string): Failure<"command-unclear"> {
  return unclear(`it has ${JSON.stringify(char)} ${where}, which only a shell understands`);
}

function unclear(reason: string): Failure<"command-unclear"> {
  return {
    ok: false,
    code: "command-unclear",
    message: `the command line cannot be run: ${reason}`,
    hint: 'There is no shell. Give one program with its arguments, best as a list in "argv". For pipes, &&, redirections, globs, variables or heredocs, give "argv": ["bash", "-c", "…"].',
  };
}

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
      argv: {
        type: "strings",
        optional: true,
        private: true,
        description: "Program and arguments.",
      },
      cwd: { type: "string", optional: true, description: "Folder to run in." },
      timeout_seconds: {
        type: "integer",
        minimum: 1,
        maximum: timeoutSeconds,
        optional: true,
        description: `At most ${timeoutSeconds}.`,
      },
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
