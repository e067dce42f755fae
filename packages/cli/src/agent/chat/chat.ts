import type { Budget } from "@skillwright/agent";
import type { Attachment, FileStore } from "@skillwright/agent/internal";
import {
  type App,
  type AppChat,
  AppFailure,
  type RunWatch,
  type StartedRun,
} from "@skillwright/app";
import {
  asFailure,
  type ConversationState,
  readAttachments,
  waitingRequest,
  workspaceOptions,
} from "@skillwright/app/internal";
import type { Failure, Skills } from "@skillwright/core";
import { defined, visibleLine, visibleLines } from "@skillwright/core/internal";
import { homedir } from "node:os";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import { offerMoreBudget } from "../go-on.ts";
import { readPiped } from "../input/piped-file.ts";
import { reportRun } from "../report-run.ts";
import type { RunCommandOptions } from "../run-options.ts";
import { workOnRun } from "../work-on-run.ts";
import type { TerminalSource } from "./terminal-source.ts";

/** A file for the next message, with the path that was typed. */
interface AttachedFiles {
  readonly given: readonly string[];
  readonly attachments: readonly Attachment[];
}

const NO_FILES: AttachedFiles = { given: [], attachments: [] };

/** One more file for the next message; it has to lie in the working directory, as with `run --file`. */
export async function attachFile(
  typed: string,
  { given }: AttachedFiles,
  { app, store, console }: ChatContext,
): Promise<AttachedFiles> {
  const path = typed.replace(/^(["'])(.*)\1$/, "$2").replace(/^@/, "");
  if (path === "" || path === "-") {
    throw new CommandFailure(EXIT.usage, "which file is not said", {
      hint: "/file <path>, a file in this folder",
    });
  }
  const { project, configuration } = app;
  const home = console.env["HOME"] ?? homedir();
  const place = { project, configuration, home };
  const { root, maxFileSizeBytes } = workspaceOptions(place, console, store.stateDirectory);
  const limits = { root, maxBytes: maxFileSizeBytes ?? Number.POSITIVE_INFINITY };
  const all = [...given.filter((one) => one !== path), path];
  // All anew: they share the room that there is.
  return {
    given: all,
    attachments: await readAttachments(all, limits, console.cwd, () =>
      readPiped(limits.maxBytes, console),
    ),
  };
}

/** What goes with the next message. */
export function attachedText({ attachments }: AttachedFiles): string {
  const files = attachments.map(({ path, bytes, text, truncated }) => {
    const how = text === undefined ? ", no text" : truncated === true ? ", its beginning" : "";
    return `${visibleLine(path)} (${bytes} bytes${how})`;
  });
  return `With the next message: ${files.join(", ")}`;
}

/** The state of a conversation between two turns. */
export interface ChatState extends ConversationState {
  /** For the next message. */
  readonly files: AttachedFiles;
}

export function exchangeCount({ conversation }: ChatState): number {
  return conversation.exchanges.length + (conversation.omitted ?? 0);
}

/** Whether the last run can be resumed, and why not. */
export function openEnd({ last }: ChatState): "approval" | "interrupted" | undefined {
  // Changes of scripts are decided on by themselves.
  if (last?.status === "needs_approval" && last.approval !== "changes") return "approval";
  const isCutOff = last?.status === "unfinished" || last?.status === "canceled";
  // What was missing then may be there now.
  return isCutOff || last?.code !== undefined ? "interrupted" : undefined;
}

/** Like the end of any command, but the conversation goes on. */
export function reportFailure(failure: AppFailure, console: Console): void {
  const { message, hint, code } = failure;
  if (console.json) console.printJson({ error: { code, message, hint } });
  const { red, bold } = console.noteColors;
  console.note(`${red(bold("error"))}: ${indented(message)}`);
  if (hint !== undefined) console.note(`${bold("hint")}: ${indented(hint)}`);
}

function indented(text: string): string {
  return visibleLines(text).replaceAll("\n", "\n  ");
}

export interface ChatOptions extends RunCommandOptions {
  /** Go on with the last conversation of this project. */
  readonly continue?: boolean;
  /** Go on with this one: its id, or how that begins. */
  readonly resume?: string;
}

/** What every turn of a chat works with. */
export interface ChatContext {
  readonly app: App;
  readonly skills: Skills;
  readonly options: ChatOptions;
  readonly console: Console;
  readonly store: FileStore;
  /** Of each turn. */
  readonly budget: Partial<Budget>;
}

/** Longer requests are refused. */
const MAX_INPUT = 60_000;

type Start = (watch: RunWatch) => Promise<StartedRun | Failure>;
type Keyboard = Pick<TerminalSource, "watch" | "release">;

/** A conversation: each message is a run, and goes on from what the ones before it came to. */
export class Chat {
  readonly context: ChatContext;
  /** For the next message. */
  files = NO_FILES;
  /** How the last turn ended. */
  exitCode: ExitCode = EXIT.done;
  /** Whether there was a turn yet. */
  hasSpoken = false;
  /** Somebody wants the whole chat to end, not only what it is doing. */
  isOver = false;
  readonly #keyboard: Keyboard | undefined;
  #talk: AppChat;

  constructor(context: ChatContext, talk: AppChat, keyboard?: Keyboard) {
    this.context = context;
    this.#talk = talk;
    this.#keyboard = keyboard;
  }

  get state(): ChatState {
    return { ...this.#talk.state, files: this.files };
  }

  /** Another conversation, or a new one. */
  async turnTo(id?: string): Promise<void> {
    const { app, options } = this.context;
    this.#talk = await openTalk(app, options, id);
    this.files = NO_FILES;
  }

  /** One message. Whatever comes of it, the conversation can go on. */
  async say(request: string): Promise<void> {
    if (request.length > MAX_INPUT) {
      const message = `the message has ${request.length} characters, at most ${MAX_INPUT} are taken`;
      throw new CommandFailure(EXIT.usage, message, { hint: "give it as a file: /file <path>" });
    }
    const { budget } = this.context;
    const attachments = this.files.given;
    await this.#work((watch) => this.#talk.say({ request, attachments, budget, ...watch }));
  }

  /** The last turn goes on where it was stopped. */
  async goOn(): Promise<void> {
    if (this.state.last === undefined) return;
    const { budget } = this.context;
    const more = Object.keys(budget).length === 0 ? undefined : { budget };
    await this.#work((watch) => this.#talk.goOn({ ...more, ...watch }));
  }

  async #work(start: Start): Promise<void> {
    const { app, store, options } = this.context;
    const console = this.#turnConsole();
    const { last } = this.state;
    const before = last && (await waitingRequest(store, last.runId, last.approval));
    this.hasSpoken = true;
    this.#keyboard?.watch();
    try {
      const ended = await workOnRun(console, async (watch) => {
        const started = await start(watch);
        if (started.ok) this.files = NO_FILES;
        return started;
      });
      const result = await offerMoreBudget(ended, console, ({ usage }, budget) =>
        workOnRun(console, (watch) => this.#talk.goOn({ budget, ...watch }), usage),
      );
      this.exitCode = await reportRun(result, { app, options, console, ...defined({ before }) });
    } catch (error) {
      if (!(error instanceof AppFailure)) throw error;
      this.exitCode = EXIT[error.kind];
      reportFailure(error, console);
    } finally {
      this.#keyboard?.release();
    }
  }

  /** Questions get the keyboard for themselves; what is JSON gets a line of its own. */
  #turnConsole(): Console {
    const { console } = this.context;
    const printJson = (document: object) => {
      const { id } = this.state.conversation;
      const conversation = { id, turn: exchangeCount(this.state) };
      console.printRecord({ schemaVersion: 1, ...document, conversation });
    };
    // Not a copy: the size of the screen is that of the moment.
    return Object.assign(
      askingAlone(console, () => this.#keyboard),
      { printJson },
    );
  }
}

/** The conversation with this id, or a new one, with the model that the options name. */
export async function openTalk(
  app: App,
  { model, modelParam: modelParams }: ChatOptions,
  id?: string,
): Promise<AppChat> {
  const talk = await app.chat(id, defined({ model, modelParams }));
  if (talk.ok) return talk;
  throw asFailure(talk);
}

/** A console whose questions get the keyboard for themselves. */
export function askingAlone(console: Console, typing: () => Keyboard | undefined): Console {
  const alone = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    const keyboard = typing();
    keyboard?.release();
    try {
      return await ask();
    } finally {
      keyboard?.watch();
    }
  };
  const choose: Console["choose"] = (...question) => alone(() => console.choose(...question));
  const askText: Console["askText"] = (...question) => alone(() => console.askText(...question));
  return Object.assign(Object.create(console) as Console, { choose, askText });
}
