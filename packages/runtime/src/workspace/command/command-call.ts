import { join } from "node:path";
import type { Failure } from "@skillwright/core";
import { folderFailure } from "../confinement/folder-problem.ts";
import { openFolder } from "../confinement/open-folder.ts";
import { resolveInside } from "../confinement/resolve-inside.ts";
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
  readonly command?: string | undefined;
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

function invalid(message: string): Failure<"input-invalid"> {
  const hint = 'Give a JSON object with "command": a command line, or "argv": a list of strings.';
  return { ok: false, code: "input-invalid", message, hint };
}
