import { Argument, type Command } from "commander";
import type { CompleteOptions } from "../completion/complete-command.ts";
import { addHelp } from "../help/add-help.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";

const SHELLS = ["bash", "zsh", "fish", "powershell"];

/** `completion`, and `complete`, which the scripts that it prints call at every tab. */
export function registerCompletionCommands(program: Command, wrap: WrapAction): void {
  const completion = program
    .command("completion")
    .summary("print a script that completes commands in your shell")
    .description(
      "Prints a script for your shell that completes commands, options, their values, names of skills and of runs. Without an argument the shell is guessed, and how to install the script is said.",
    )
    .addArgument(new Argument("[shell]", "the shell").choices(SHELLS))
    .action(
      wrap(async (args, console) => {
        const { completionCommand } = await import("../completion/completion-command.ts");
        return completionCommand(args[0] as string | undefined, console);
      }),
    );
  addHelp(completion, {
    examples: {
      "skillwright completion": "how to install it for your shell",
      "skillwright completion bash >> ~/.bashrc": "bash, for good",
      "skillwright completion fish | source": "fish, for this session",
    },
    exitCodes: { 0: "printed", 2: "another shell, or none that could be guessed" },
    seeAlso: ["skillwright help"],
  });
  program
    .command("complete", { hidden: true })
    .summary("say how a command line could go on")
    .argument("[words...]", "the words so far; the last is the one to complete")
    .option("--empty", "the word to complete is empty, and not among them")
    .action(
      wrap(async (args, console) => {
        const { completeCommand } = await import("../completion/complete-command.ts");
        const options = commandOf(args).opts<CompleteOptions>();
        return completeCommand(args[0] as readonly string[], options, program, console);
      }),
    );
}
