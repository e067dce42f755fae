import { type Command, CommanderError } from "commander";
import { commandOf } from "../../commands/command-of.ts";
import { createProgram } from "../../commands/create-program.ts";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT } from "../../exit-code.ts";
import { namedTools } from "@skillwright/app/internal";
import { httpPlace } from "../serve/http-place.ts";
import { registerServeCommand } from "../serve/register-serve-command.ts";
import type { ServeOptions } from "../serve/serve-options.ts";

const SILENT = { write: () => true };
const ONLY_OPTIONS = "only options of skillwright mcp can follow --";
const HINT = "arguments after -- go to skillwright mcp; see skillwright mcp --help";

/** Throws for what `skillwright mcp` would not start with, as a client starts it. */
export function checkServeArguments(args: readonly string[], { env }: Pick<Console, "env">): void {
  const command = parsed(args);
  if (command === undefined) throw usage(ONLY_OPTIONS);
  const options = command.optsWithGlobals<ServeOptions>();
  if (options.http === true) {
    throw usage("a client that starts skillwright mcp talks to it on stdin, not with --http");
  }
  checkChoices(command);
  httpPlace(options, env);
  namedTools(options);
}

/** The server would check them when it has read its configuration. */
function checkChoices(command: Command): void {
  for (const option of command.options) {
    const value: unknown = command.getOptionValue(option.attributeName());
    if (typeof value !== "string" || option.argChoices === undefined) continue;
    if (option.argChoices.includes(value)) continue;
    const choices = option.argChoices.join(", ");
    throw usage(`${option.long ?? ""} cannot be ${JSON.stringify(value)}; there are ${choices}`);
  }
}

/** The command that would be run; undefined when one would only print something. */
function parsed(args: readonly string[]): Command | undefined {
  const program = createProgram({ stdout: SILENT, stderr: SILENT });
  let command: Command | undefined;
  registerServeCommand(program, () => async (...given) => {
    command = commandOf(given);
  });
  try {
    program.parse(["mcp", ...args], { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === "commander.excessArguments")
      throw usage(`too many arguments: ${ONLY_OPTIONS}`);
    if (error.exitCode !== 0) throw usage(error.message.replace(/^error: /, ""));
  }
  return command;
}

function usage(message: string): CommandFailure {
  return new CommandFailure(EXIT.usage, message, { hint: HINT });
}
