import { createRedactor } from "@skillwright/runtime";
import { plural } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import { listConversations, openRuns } from "@skillwright/app/internal";
import { budgetOf } from "../run-options.ts";
import { openProject } from "../work-on-run.ts";
import { askingAlone, Chat, type ChatContext, type ChatOptions, openTalk } from "./chat.ts";
import { resumedText } from "./commands-text.ts";
import { type Candidate, completeChat } from "./complete-chat.ts";
import { InputHistory } from "./input-history.ts";
import { type InputSource, lineSource } from "./input-source.ts";
import { offerToGoOn } from "./offer-to-go-on.ts";
import { talk } from "./talk.ts";
import { type Terminal, TerminalSource } from "./terminal-source.ts";

/** A conversation over the same loop as `run`, until the person leaves or the input ends. */
export async function chatCommand(
  words: readonly string[],
  options: ChatOptions,
  console: Console,
): Promise<ExitCode> {
  if (options.continue === true && options.resume !== undefined) {
    throw new CommandFailure(EXIT.usage, "--continue and --resume exclude each other");
  }
  const budget = budgetOf(options);
  let keyboard: TerminalSource | undefined;
  const app = await openProject(
    options,
    askingAlone(console, () => keyboard),
  );
  try {
    const skills = await app.skills.registry();
    const store = await openRuns(console);
    const begun = await begunConversation({ options, store });
    const conversation = await openTalk(app, options, begun);
    const context: ChatContext = { app, skills, store, options, budget, console };
    keyboard = console.canAsk ? openTerminal(context) : undefined;
    const source: InputSource = keyboard ?? lineSource(console);
    const chat = new Chat(context, conversation, keyboard);
    const end = () => {
      chat.isOver = true;
      source.close();
    };
    for (const name of ENDS) process.on(name, end);
    try {
      if (begun !== undefined && !console.quiet) console.note(resumedText(chat.state, console));
      if (keyboard !== undefined) console.note(welcome(conversation.model, context));
      if (begun !== undefined) await offerToGoOn(chat);
      return await talk(chat, source, words.join(" "));
    } finally {
      for (const name of ENDS) process.off(name, end);
      source.close();
    }
  } finally {
    await app.close();
  }
}

/** They end the turn, and then the chat. */
const ENDS = ["SIGTERM", "SIGHUP"] as const;

/** The id of the one that the options name. */
async function begunConversation({ options, store }: Pick<ChatContext, "options" | "store">) {
  if (options.resume !== undefined) return options.resume;
  if (options.continue !== true) return undefined;
  const [last] = await listConversations(store, { limit: 1, looked: Infinity });
  if (last !== undefined) return last.id;
  throw new CommandFailure(EXIT.no, "there is no conversation in this project yet", {
    hint: "begin one: skillwright chat",
  });
}

function openTerminal(context: ChatContext): TerminalSource | undefined {
  const { app, store, skills, console } = context;
  const { stdin, stderr } = console.streams;
  if (stdin === undefined) return undefined;
  let conversations: readonly Candidate[] = [];
  const look = async () => {
    const entries = await listConversations(store);
    conversations = entries.map(({ id, request }) => ({ value: id, description: request }));
  };
  // Completion does not wait for records, of which there may be many.
  void look().catch(() => undefined);
  const history = new InputHistory({
    project: app.project,
    stateDirectory: store.stateDirectory,
    redactor: createRedactor({ env: console.env }),
  });
  const { bold, cyan, dim } = console.noteColors;
  const place = {
    skills: () => skills.all,
    conversations: () => conversations,
    folder: console.cwd,
  };
  // What is a terminal is also a stream.
  const terminal = { input: stdin(), output: stderr } as unknown as Terminal;
  return new TerminalSource(terminal, {
    prompt: bold(cyan("> ")),
    dim,
    history,
    complete: (text) => completeChat(text, place),
    // Listeners exist only during a turn; between turns the signal does nothing.
    onInterrupt: () => process.emit("SIGINT", "SIGINT"),
  });
}

function welcome(model: string, { skills, console }: ChatContext): string {
  const { dim } = console.noteColors;
  const count = skills.all.filter(({ trusted, enabled }) => trusted && enabled).length;
  const what = `${model}, ${plural(count, "skill")}`;
  return dim(`${what}. /help shows commands and keys, Ctrl-D leaves.`);
}
