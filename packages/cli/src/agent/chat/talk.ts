import { visibleLine } from "@skillwright/core/internal";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import { type Chat, exchangeCount, reportFailure } from "./chat.ts";
import type { InputSource } from "./input-source.ts";
import { type ChatInput, readInput } from "./read-input.ts";
import { runChatCommand } from "./run-chat-command.ts";
import { AppFailure } from "@skillwright/app";

/**
 * Message after message. At a terminal the exit code is 0; elsewhere it is
 * that of the last turn.
 */
export async function talk(chat: Chat, source: InputSource, first: string): Promise<ExitCode> {
  const { console } = chat.context;
  const isPerson = console.canAsk;
  if (first.trim() !== "" && (await answer(chat, first)) === "leave") return leave(chat);
  while (!chat.isOver) {
    const read = await source.next();
    if (read.kind === "interrupt" || chat.isOver) break;
    if (read.kind === "end" || (await answer(chat, read.text)) === "leave") return leave(chat);
    if (isPerson && read.text.trim() !== "") console.note("");
  }
  leave(chat);
  return EXIT.interrupted;
}

function leave(chat: Chat): ExitCode {
  const { console } = chat.context;
  if (!console.canAsk) return chat.exitCode;
  if (chat.hasSpoken && exchangeCount(chat.state) > 0) {
    console.note(console.noteColors.dim("Go on later with: skillwright chat --continue"));
  }
  return EXIT.done;
}

async function answer(chat: Chat, typed: string): Promise<"leave" | undefined> {
  const { skills, console } = chat.context;
  try {
    // Skills may have changed since the last message.
    if (typed.trim() !== "") await skills.refresh();
    const input = readInput(typed, skills);
    if (input.kind === "message") await chat.say(input.text);
    else if (input.kind === "unknown") throw unknownWord(input);
    else if (input.kind === "command") return await command(chat, input);
  } catch (error) {
    if (!(error instanceof AppFailure)) throw error;
    chat.exitCode = EXIT[error.kind];
    reportFailure(error, console.json ? jsonLines(chat) : console);
  }
  return undefined;
}

async function command(
  chat: Chat,
  { name, rest, hidden }: Extract<ChatInput, { kind: "command" }>,
): Promise<"leave" | undefined> {
  const { console } = chat.context;
  const { text, leave: isEnd } = await runChatCommand(chat, name, rest);
  if (text !== undefined && console.json) {
    console.printRecord({ schemaVersion: 1, command: name, text });
  } else if (text !== undefined) console.printText(text);
  if (hidden !== undefined) {
    const note = `A skill has the same name; ${visibleLine(hidden)} calls it.`;
    console.note(console.noteColors.dim(note));
  }
  return isEnd === true ? "leave" : undefined;
}

function unknownWord({ word, near }: Extract<ChatInput, { kind: "unknown" }>): CommandFailure {
  const hint =
    near.length > 0
      ? `did you mean ${near.join(" or ")}?`
      : "/help shows commands, /skills what can be called by name";
  return new CommandFailure(EXIT.usage, `there is no command or skill /${word}`, { hint });
}

function jsonLines({ context: { console } }: Chat): Chat["context"]["console"] {
  const printJson = (document: object) => console.printRecord({ schemaVersion: 1, ...document });
  return Object.assign(Object.create(console) as typeof console, { printJson });
}
