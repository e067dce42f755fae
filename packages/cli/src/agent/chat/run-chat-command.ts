import { truncateWidth, visibleLine } from "@skillwright/core/internal";
import { listConversations, readRun } from "@skillwright/app/internal";
import { attachedText, attachFile, type Chat } from "./chat.ts";
import type { ChatCommandName } from "./chat-commands.ts";
import {
  conversationsTable,
  costText,
  helpText,
  planText,
  resumedText,
  skillsText,
  whyText,
} from "./commands-text.ts";
import { offerToGoOn } from "./offer-to-go-on.ts";

/** The result of a command: text to show, nothing, or the end of the chat. */
type CommandOutcome = { readonly text?: string; readonly leave?: true };

/** Throws a `CommandFailure` for problems that the person can fix. */
export async function runChatCommand(
  chat: Chat,
  name: ChatCommandName,
  rest: string,
): Promise<CommandOutcome> {
  const { context, state } = chat;
  const { console, skills, store } = context;
  const { colors } = console;
  const width = console.isTerminal ? console.screenSize.columns : console.width;
  const { dim } = colors;
  switch (name) {
    case "help":
      return { text: helpText(colors) };
    case "skills":
      return { text: skillsText(skills.all, state.conversation.skills, { width, dim }) };
    case "plan":
      return { text: planText(state.last, colors) };
    case "cost":
      return { text: costText(state, dim) };
    case "why": {
      const records = state.last === undefined ? [] : await readRun(store, state.last.runId);
      return { text: await whyText(rest.replace(/^\//, ""), { skills, records, colors, width }) };
    }
    case "file": {
      const files = await attachFile(rest, state.files, context);
      chat.files = files;
      return { text: attachedText(files) };
    }
    case "new":
      await chat.turnTo();
      return { text: "A new conversation." };
    case "resume":
      return resumeOther(chat, rest);
    default:
      return { leave: true };
  }
}

async function resumeOther(chat: Chat, given: string): Promise<CommandOutcome> {
  const { console, store } = chat.context;
  const entries = given === "" ? await listConversations(store) : [];
  let found = given === "" ? undefined : given;
  if (found === undefined && console.canAsk && entries.length > 0) {
    const id = await console.choose({
      message: "Which conversation?",
      choices: entries.map((one) => ({
        value: one.id,
        label: truncateWidth(visibleLine(one.request), console.screenSize.columns - 8),
        hint: `${one.id}, ${one.exchanges} exchanges`,
      })),
      initial: entries[0]?.id ?? "",
    });
    if (id === undefined) return {};
    found = id;
  }
  if (found === undefined) return { text: conversationsTable(entries, console) };
  await chat.turnTo(found);
  console.note(resumedText(chat.state, console));
  await offerToGoOn(chat);
  return {};
}
