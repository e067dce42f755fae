/** What begins with a slash and is for the chat itself. */
interface ChatCommand {
  readonly name: ChatCommandName;
  /** How it is called. */
  readonly usage: string;
  readonly description: string;
}

export type ChatCommandName =
  | "help"
  | "skills"
  | "plan"
  | "cost"
  | "why"
  | "file"
  | "new"
  | "resume"
  | "exit"
  | "quit";

export const CHAT_COMMANDS: readonly ChatCommand[] = [
  { name: "help", usage: "/help", description: "commands and keys" },
  { name: "skills", usage: "/skills", description: "which skills there are, and which are active" },
  { name: "plan", usage: "/plan", description: "the last plan, with what is done" },
  { name: "cost", usage: "/cost", description: "tokens, time and money of this conversation" },
  {
    name: "why",
    usage: "/why [skill]",
    description: "why skills were or were not used in the last turn",
  },
  { name: "file", usage: "/file <path>", description: "give a file with the next message" },
  { name: "new", usage: "/new", description: "begin another conversation" },
  { name: "resume", usage: "/resume [id]", description: "list conversations, or go on with one" },
  { name: "exit", usage: "/exit", description: "leave; so does Ctrl-D" },
  { name: "quit", usage: "/quit", description: "leave" },
];

export function chatCommand(name: string): ChatCommand | undefined {
  const wanted = name.toLowerCase();
  return CHAT_COMMANDS.find((command) => command.name === wanted);
}
