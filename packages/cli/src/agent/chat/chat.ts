import { type Budget, type Model, resumeAgent, runAgent, type RunResult } from "@skillwright/agent";
import type { RunConversation, RunStart } from "@skillwright/agent/internal";
import type { AuditRecord } from "@skillwright/runtime";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import {
  openRecordedModel,
  removeRuns,
  retentionOf,
  waitingRequest,
  afterRun,
} from "@skillwright/app/internal";
import { offerMoreBudget, requireResumed } from "../go-on.ts";
import { reportRun } from "../report-run.ts";
import { workOnRun } from "../work-on-run.ts";
import type { ChatContext } from "./chat-context.ts";
import { type ChatState, exchangeCount, NEW_CHAT } from "./chat-state.ts";
import { NO_FILES } from "./attach-file.ts";
import type { TerminalSource } from "./terminal-source.ts";
import { reportFailure } from "./report-failure.ts";
import { AppFailure } from "@skillwright/app";

/** Longer requests are refused. */
const MAX_INPUT = 60_000;

type Surroundings = Parameters<Parameters<typeof workOnRun>[1]>[0];
type TurnSurroundings = Surroundings & { readonly model: Model };

/** A conversation: each message is a run, and goes on from what the ones before it came to. */
export class Chat {
  readonly context: ChatContext;
  state: ChatState = NEW_CHAT;
  /** How the last turn ended. */
  exitCode: ExitCode = EXIT.done;
  /** Whether there was a turn yet. */
  hasSpoken = false;
  /** Somebody wants the whole chat to end, not only what it is doing. */
  isOver = false;
  readonly #keyboard: Pick<TerminalSource, "watch" | "release"> | undefined;

  constructor(context: ChatContext, keyboard?: Pick<TerminalSource, "watch" | "release">) {
    this.context = context;
    this.#keyboard = keyboard;
  }

  /** One message. Whatever comes of it, the conversation can go on. */
  async say(request: string): Promise<void> {
    if (request.length > MAX_INPUT) {
      const message = `the message has ${request.length} characters, at most ${MAX_INPUT} are taken`;
      throw new CommandFailure(EXIT.usage, message, { hint: "give it as a file: /file <path>" });
    }
    const { skills, model, budget, store } = this.context;
    const {
      conversation,
      files: { attachments },
    } = this.state;
    await this.#work(
      async () => model,
      (surroundings) =>
        runAgent({
          ...surroundings,
          request,
          skills,
          budget,
          store,
          conversation,
          ...(attachments.length > 0 && { attachments }),
        }),
    );
  }

  /** The last turn goes on where it was stopped. */
  async goOn(): Promise<void> {
    const { session, model, options, budget, console } = this.context;
    const { last } = this.state;
    if (last === undefined) return;
    await this.#work(
      async () =>
        options.model === undefined
          ? openRecordedModel(last.model, session, console, options.modelParam)
          : model,
      (surroundings) => this.#resume(last.runId, surroundings, budget),
    );
  }

  async #resume(
    runId: string,
    surroundings: TurnSurroundings,
    budget: Partial<Budget>,
  ): Promise<RunResult> {
    const { skills, store } = this.context;
    const more = Object.keys(budget).length === 0 ? undefined : { budget };
    return requireResumed(
      await resumeAgent({ ...surroundings, runId, store, skills, ...more }),
      runId,
    );
  }

  async #work(
    openModel: () => Promise<Model>,
    run: (surroundings: TurnSurroundings) => Promise<RunResult>,
  ): Promise<void> {
    const { store, options, session } = this.context;
    const console = this.#turnConsole();
    const { last } = this.state;
    const before = last && (await waitingRequest(store, last.runId, last.approval));
    let runId: string | undefined;
    const watched = ({ onEvent, ...rest }: Surroundings): Surroundings => ({
      ...rest,
      onEvent: (record, id) => {
        if (record.event !== "text-delta") runId ??= startedRun(record);
        onEvent(record, id);
      },
    });
    this.hasSpoken = true;
    this.#keyboard?.watch();
    try {
      const context = { ...this.context, console };
      const model = await openModel();
      const ended = await workOnRun(context, (surroundings) =>
        run({ ...watched(surroundings), model }),
      );
      const result = await offerMoreBudget(ended, console, (one, budget) =>
        workOnRun({ ...context, used: one.usage }, (surroundings) =>
          this.#resume(one.runId, { ...watched(surroundings), model }, budget),
        ),
      );
      await this.#moveOn(result.runId, result.conversation);
      this.exitCode = await reportRun(result, { session, store, options, console, before });
    } catch (error) {
      if (!(error instanceof AppFailure)) throw error;
      if (runId !== undefined) await this.#moveOn(runId);
      this.exitCode = EXIT[error.kind];
      reportFailure(error, console);
    } finally {
      this.#keyboard?.release();
    }
    const retention = retentionOf(session.configuration.values);
    if (retention !== undefined) await removeRuns(store, retention);
  }

  async #moveOn(runId: string, conversation?: RunConversation): Promise<void> {
    const state = await afterRun(this.context.store, this.state, runId, conversation);
    this.state = { ...state, files: NO_FILES };
  }

  /** Questions get the keyboard for themselves; what is JSON gets a line of its own. */
  #turnConsole(): Console {
    const { console } = this.context;
    const keyboard = this.#keyboard;
    const alone = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
      keyboard?.release();
      try {
        return await ask();
      } finally {
        keyboard?.watch();
      }
    };
    const choose: Console["choose"] = (...question) => alone(() => console.choose(...question));
    const askText: Console["askText"] = (...question) => alone(() => console.askText(...question));
    const printJson = (document: object) => {
      const { id } = this.state.conversation;
      const conversation = { id, turn: exchangeCount(this.state) };
      console.printRecord({ schemaVersion: 1, ...document, conversation });
    };
    // Not a copy: the size of the screen is that of the moment.
    return Object.assign(Object.create(console) as Console, { choose, askText, printJson });
  }
}

/** The run itself, not one of its children. */
function startedRun({ event, data }: AuditRecord): string | undefined {
  const { runId, parent } = (event === "run-start" ? data : {}) as Partial<RunStart>;
  return parent === undefined ? runId : undefined;
}
