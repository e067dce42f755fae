import type { Command } from "commander";

/** Commander hands the command itself over as the last argument. */
export function commandOf(args: readonly unknown[]): Command {
  return args.at(-1) as Command;
}
