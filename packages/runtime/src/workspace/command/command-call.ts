import { join } from "node:path";
import type { Failure } from "@skillwright/core";
import { folderFailure, openFolder } from "../confinement/open-folder.ts";
import { resolveInside } from "../confinement/workspace-path.ts";
import type { Workspace } from "../workspace.ts";
import { type SplitCommand, splitCommand } from "./split-command.ts";

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
  argv: readonly string[] | undefined,
): SplitCommand | Failure {
  if (argv !== undefined && argv.length > 0) {
    // Some models give the program in one and its arguments in the other; that could be misread.
    if (command !== undefined) return invalid("both command and argv are given");
    return readWords(argv);
  }
  if (command === undefined || command.length === 0) {
    return invalid("neither command nor argv is given");
  }
  return typeof command === "string" ? splitCommand(command) : readWords(command);
}

/** One word with blanks is a command line that was given as a list. */
function readWords(words: readonly string[]): SplitCommand | Failure {
  const [program = "", ...others] = words;
  if (program === "" || words.some((word) => word.includes("\0"))) {
    return invalid("argv has an empty program or a NUL");
  }
  const isLine = others.length === 0 && /\s/.test(program);
  return isLine ? splitCommand(program) : { ok: true, argv: words };
}

function invalid(message: string): Failure<"input-invalid"> {
  const hint = 'Give a JSON object with "command": a command line, or "argv": a list of strings.';
  return { ok: false, code: "input-invalid", message, hint };
}
