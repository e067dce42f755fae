import { createRedactor } from "@skillwright/runtime";
import { plural } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import {
  openAgentSession,
  openRunStore,
  openRecordedModel,
  openRunModel,
  findConversation,
  listConversations,
  openConversation,
} from "@skillwright/app/internal";
import { budgetOf } from "../run-options.ts";
import { Chat } from "./chat.ts";
import type { ChatContext, ChatOptions } from "./chat-context.ts";
import { resumedText } from "./commands/conversation-lines.ts";
import { type Candidate, completeChat } from "./complete-chat.ts";
import { InputHistory } from "./input-history.ts";
import { type InputSource, lineSource } from "./input-source.ts";
import { offerToGoOn } from "./offer-to-go-on.ts";
import { talk } from "./talk.ts";
import { type Terminal, TerminalSource } from "./terminal-source.ts";
import { NO_FILES } from "./attach-file.ts";

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
  const { session, skills } = await openAgentSession(options, console);
  const store = openRunStore(session, console);
  const begun = await begunConversation({ options, store });
  const model =
    begun?.last === undefined || options.model !== undefined
      ? await openRunModel(options, session, console)
      : await openRecordedModel(begun.last.model, session, console, options.modelParam);
  const context: ChatContext = { session, skills, store, model, options, budget, console };
  const terminal = console.canAsk ? openTerminal(context) : undefined;
  const source: InputSource = terminal ?? lineSource(console);
  const chat = new Chat(context, terminal);
  const end = () => {
    chat.isOver = true;
    source.close();
  };
  for (const name of ENDS) process.on(name, end);
  try {
    if (begun !== undefined) {
      chat.state = { ...begun, files: NO_FILES };
      if (!console.quiet) console.note(resumedText(chat.state, console));
    }
    if (terminal !== undefined) console.note(welcome(context));
    if (begun !== undefined) await offerToGoOn(chat);
    return await talk(chat, source, words.join(" "));
  } finally {
    for (const name of ENDS) process.off(name, end);
    source.close();
  }
}

/** They end the turn, and then the chat. */
const ENDS = ["SIGTERM", "SIGHUP"] as const;

/** The one that the options name. */
async function begunConversation({ options, store }: Pick<ChatContext, "options" | "store">) {
  const { resume } = options;
  if (resume !== undefined) {
    return openConversation(store, await findConversation(store, resume));
  }
  if (options.continue !== true) return undefined;
  const [last] = await listConversations(store, { limit: 1, looked: Infinity });
  if (last !== undefined) return openConversation(store, last);
  throw new CommandFailure(EXIT.no, "there is no conversation in this project yet", {
    hint: "begin one: skillwright chat",
  });
}

function openTerminal(context: ChatContext): TerminalSource | undefined {
  const { session, store, skills, console } = context;
  const { stdin, stderr } = console.streams;
  if (stdin === undefined) return undefined;
  let conversations: readonly Candidate[] = [];
  const look = async () => {
    const entries = await listConversations(store);
    conversations = entries.map(({ id, request }) => ({ value: id, description: request }));
  };
  // Completion does not wait for records, of which there may be many.
  void look().catch(() => undefined);
  const history = new InputHistory({ ...session, redactor: createRedactor({ env: console.env }) });
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

function welcome({ model, skills, console }: ChatContext): string {
  const { dim } = console.noteColors;
  const count = skills.all.filter(({ trusted, enabled }) => trusted && enabled).length;
  const what = `${model.id}, ${plural(count, "skill")}`;
  return dim(`${what}. /help shows commands and keys, Ctrl-D leaves.`);
}
