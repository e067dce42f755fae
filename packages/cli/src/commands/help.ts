import type { Command } from "commander";

/** `help` for all commands, or for the named one at any depth. */
export function registerHelpCommand(program: Command): void {
  program
    .command("help")
    .summary("show help for a command")
    .description("Shows the help of all commands, or of the one that is named.")
    .argument("[command...]", "the command, such as runs show")
    .action(async (names: readonly string[]) => {
      const { command, unknown } = findCommand(program, names);
      // Commander says that it is unknown, and which one was meant.
      if (unknown !== undefined) await program.parseAsync(unknown, { from: "user" });
      command.help();
    });
}

/** `unknown`: the words up to the first that is not a command. */
function findCommand(
  program: Command,
  names: readonly string[],
): { command: Command; unknown?: readonly string[] } {
  let command = program;
  for (const [index, name] of names.entries()) {
    const below = command.commands.find(
      (one) => one.name() === name || one.aliases().includes(name),
    );
    if (below === undefined) {
      // Commands with arguments have no subcommands.
      return command.commands.length === 0
        ? { command }
        : { command, unknown: names.slice(0, index + 1) };
    }
    command = below;
  }
  return { command };
}
