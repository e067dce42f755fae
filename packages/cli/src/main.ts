import { statSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, CommanderError } from "commander";
import { visibleLines } from "@skillwright/core/internal";
import { registerCommands } from "./commands/command-groups.ts";
import type { WrapAction } from "./commands/command-runner.ts";
import { createProgram } from "./commands/create-program.ts";
import { createConsole, type GlobalOptions, type Surroundings } from "./console.ts";
import { CommandFailure, EXIT, type ExitCode } from "./exit-code.ts";
import { systemProblem } from "@skillwright/app/internal";
import { VERSION } from "./version.ts";
import { AppFailure } from "@skillwright/app";

/** Runs one command line and says how it ended. Never throws. */
export async function main(argv: readonly string[], surroundings: Surroundings): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT.done;
  const program = createProgram(surroundings);
  const wrap: WrapAction =
    (run) =>
    async (...args) => {
      const command = args.at(-1) as Command;
      const options = command.optsWithGlobals<GlobalOptions>();
      const cwd = resolve(surroundings.cwd, options.cwd ?? ".");
      if (!isFolder(cwd)) throw new CommandFailure(EXIT.usage, `there is no folder "${cwd}"`);
      exitCode = await run(args, createConsole({ ...surroundings, cwd }, options));
    };
  registerCommands(program, wrap, argv);
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    const json = argv.includes("--json") || /--format[= ]json/.test(argv.join(" "));
    return reportFailure(error, surroundings, { ...program.opts<GlobalOptions>(), json });
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function reportFailure(
  error: unknown,
  surroundings: Surroundings,
  options: GlobalOptions,
): ExitCode {
  const console = createConsole(surroundings, options);
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.done;
    // Commander has printed its message already, to stderr.
    if (console.json) console.printJson({ error: { message: error.message } });
    return EXIT.usage;
  }
  const failure = error instanceof AppFailure ? error : systemFailure(error);
  if (failure === undefined) {
    const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
    console.note(
      `skillwright ${VERSION} stopped with an internal error. Please report it:\n${details}`,
    );
    return EXIT.bug;
  }
  const { kind, code } = failure;
  const problem = systemProblem(failure);
  const { message } = problem ?? failure;
  const hint = failure.hint ?? problem?.hint;
  if (console.json) console.printJson({ error: { code, message, hint } });
  const { red, bold } = console.noteColors;
  console.note(`${red(bold("error"))}: ${indented(message)}`);
  if (hint !== undefined) console.note(`${bold("hint")}: ${indented(hint)}`);
  return EXIT[kind];
}

/** Only what begins at the margin is ours. */
function indented(text: string): string {
  return visibleLines(text).replaceAll("\n", "\n  ");
}

/** A full disk, a missing permission or a damaged file is the machine's answer, not a bug. */
function systemFailure(error: unknown): AppFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === "StateFileError") {
    const { code, hint } = error as Error & { readonly code: string; readonly hint: string };
    const exitCode = code === "damaged" ? EXIT.usage : EXIT.no;
    return new CommandFailure(exitCode, error.message, { hint, cause: error });
  }
  if (!("syscall" in error || error.name === "SkillwrightError")) return undefined;
  return new CommandFailure(EXIT.no, error.message, { cause: error });
}
