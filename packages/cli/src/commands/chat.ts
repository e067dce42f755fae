import type { Command } from "commander";
import type { ChatOptions } from "../agent/chat/chat.ts";
import { addHelp } from "../help/add-help.ts";
import { addBudgetOptions } from "./run.ts";
import { commandOf } from "./command-of.ts";
import type { WrapAction } from "./command-runner.ts";

/** `chat`: requests one after the other, each of which knows what was said before. */
export function registerChatCommand(program: Command, wrap: WrapAction): void {
  const chat = program
    .command("chat")
    .summary("talk with the agent, request after request")
    .description(
      "A conversation: each message is recorded as a separate run in .agent/runs, and goes on " +
        "from what was said before. Skills that became active stay active. /name calls a skill, " +
        "/help lists the commands of the chat.\n\n" +
        "An approval for the rest of a run counts until the message is answered; one for a skill " +
        "counts until the skill changes. Budgets are for each message.\n\n" +
        "Without a terminal, every line of stdin is a message, and one that ends with a backslash goes " +
        "on in the next; nothing is asked. --json then prints one line of JSON for each: what " +
        "run --json prints with conversation { id, turn }, { command, text } for a command of the " +
        "chat, or { error }.",
    )
    .argument("[message...]", "what to begin with")
    .option("--continue", "go on with the last conversation of this project")
    .option("--resume <id>", "go on with this conversation: its id, or how that begins")
    .option("--no-skills", "use no skill at all, for a baseline");
  addBudgetOptions(chat).action(
    wrap(async (args, console) => {
      const { chatCommand } = await import("../agent/chat/chat-command.ts");
      const options = commandOf(args).optsWithGlobals<ChatOptions>();
      return chatCommand(args[0] as readonly string[], options, console);
    }),
  );
  addHelp(chat, {
    examples: {
      "skillwright chat": "begin a conversation",
      'skillwright chat "profile sales.csv"': "begin with a message",
      "skillwright chat --continue": "go on where you left",
      "skillwright chat --json < questions.txt": "a message per line, for a program",
    },
    exitCodes: {
      0: "you left; without a terminal: the last message was answered",
      1: "the last message failed or ran out of budget, or there is no such conversation",
      2: "wrong usage or configuration",
      3: "the last message needs an approval, or it was refused",
      4: "the sandbox is missing",
      130: "left with Ctrl-C, or the last message was canceled",
    },
    seeAlso: ["skillwright run", "skillwright runs", "docs/runtime.md"],
  });
}
