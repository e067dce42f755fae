import { createRedactor } from "@skillwright/runtime";
import { plural } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import { listConversations, openRuns } from "@skillwright/app/internal";
import { budgetOf } from "../run-options.ts";
import { openProject } from "../work-on-run.ts";
import { askingAlone, Chat, openTalk } from "./chat.ts";
import type { TypedAhead } from "./editor/typed-ahead.ts";
import type { ChatContext, ChatOptions } from "./chat-context.ts";
import { resumedText } from "./commands/conversation-lines.ts";
import type { Candidate } from "./editor/completion.ts";
import { InputHistory } from "./input-history.ts";
import { type InputSource, lineSource } from "./input-source.ts";
import { offerToGoOn } from "./offer-to-go-on.ts";
import { talk } from "./talk.ts";
import { terminalSource } from "./terminal-source.ts";

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
  let typedAhead: TypedAhead | undefined;
  const alone = askingAlone(console, () => typedAhead);
  const app = await openProject(options, alone);
  try {
    const skills = await app.skills.registry();
    const store = await openRuns(console);
    const begun = await begunConversation({ options, store });
    const conversation = await openTalk(app, options, begun);
    const context: ChatContext = { app, skills, store, options, budget, console: alone };
    const terminal = console.canAsk ? await openTerminal(context) : undefined;
    const source: InputSource = terminal ?? lineSource(console);
    typedAhead = terminal?.typedAhead;
    const chat = new Chat(context, conversation, typedAhead);
    const end = () => {
      chat.isOver = true;
      source.close();
    };
    for (const name of ENDS) process.on(name, end);
    try {
      if (begun !== undefined && !console.quiet) console.note(resumedText(chat.state, console));
      if (terminal !== undefined) console.note(welcome(conversation.model, context));
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

async function openTerminal(context: ChatContext) {
  const { app, store, skills, console } = context;
  const redactor = createRedactor({ env: console.env });
  let conversations: readonly Candidate[] = [];
  const look = async () => {
    const entries = await listConversations(store);
    conversations = entries.map(({ id, request }) => ({ value: id, description: request }));
  };
  // Completion does not wait for records, of which there may be many.
  void look().catch(() => undefined);
  return terminalSource(
    console,
    new InputHistory({ project: app.project, stateDirectory: store.stateDirectory, redactor }),
    {
      skills: () => skills.all,
      conversations: () => conversations,
      folder: console.cwd,
    },
  );
}

function welcome(model: string, { skills, console }: ChatContext): string {
  const { dim } = console.noteColors;
  const count = skills.all.filter(({ trusted, enabled }) => trusted && enabled).length;
  const what = `${model}, ${plural(count, "skill")}`;
  return dim(`${what}. /help shows commands and keys, Ctrl-D leaves.`);
}
