import type { Colors } from "../../../terminal/colors.ts";
import { CHAT_COMMANDS } from "../chat-commands.ts";

const KEYS = [
  ["Return", "send"],
  ["\\ Return", "new line (also Ctrl+J, Alt+Return); pasted lines stay together"],
  ["Tab", "complete commands, skills, and paths after @ or /file"],
  ["Up, Down", "history of this project; with text typed, entries that begin with it"],
  [
    "Ctrl-C",
    "during a turn: finish the step and stop, twice: stop now; at the prompt: clear, twice: leave",
  ],
  ["Ctrl-D", "leave"],
] as const;

const COUNTS = [
  "Each message is recorded as a separate run in .agent/runs.",
  'An approval "for the rest of this run" counts until the message is answered, one for a skill until the skill changes.',
  "Active skills stay active in the conversation. A budget is for each message.",
] as const;

const NAME_WIDTH = 14;

/** `/help` */
export function helpText({ bold }: Colors): string {
  const line = (name: string, text: string) => `  ${name.padEnd(NAME_WIDTH)}  ${text}`;
  return [
    bold("Commands"),
    ...CHAT_COMMANDS.map(({ usage, description }) => line(usage, description)),
    line("/name …", "call the skill of that name; /name@source picks one"),
    bold("Keys"),
    ...KEYS.map(([key, text]) => line(key, text)),
    bold("What counts how long"),
    ...COUNTS.map((text) => `  ${text}`),
  ].join("\n");
}
