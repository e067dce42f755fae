import type { ScriptExecutor, ScriptRequest, ScriptResult, ToolContext } from "@skillwright/core";
import type { Console } from "../console.ts";
import { CommandFailure } from "../exit-code.ts";
import type { Session } from "../session.ts";
import type { RuntimeOptions, SessionExecutor } from "./session-executor.ts";

const RUNNABLE = /\.(?:py|sh|bash|js|mjs|cjs|ts|rb|pl)$/i;

/** Loads the runtime when the first script is to run; most commands only list what could be run. */
export class LazyExecutor implements ScriptExecutor {
  hasFailed = false;
  /** Why no script could be run at all. */
  problem: CommandFailure | undefined;
  readonly #session: Session;
  readonly #options: RuntimeOptions;
  readonly #console: Console;
  #opened: SessionExecutor | undefined;

  constructor(session: Session, options: RuntimeOptions, console: Console) {
    this.#session = session;
    this.#options = options;
    this.#console = console;
  }

  get isWaiting(): boolean {
    return this.#opened?.isWaiting() === true;
  }

  canRun(path: string): boolean {
    return RUNNABLE.test(path);
  }

  async run(request: ScriptRequest, context: ToolContext): Promise<ScriptResult> {
    try {
      const { openSessionExecutor } = await import("./session-executor.ts");
      this.#opened ??= await openSessionExecutor(this.#session, this.#options, this.#console);
      const result = await this.#opened.executor.run(request, context);
      this.hasFailed ||= !result.ok;
      return result;
    } catch (error) {
      this.hasFailed = true;
      if (!(error instanceof CommandFailure)) throw error;
      this.problem = error;
      return { ok: false, text: error.message };
    }
  }

  close(): void {
    this.#opened?.close();
  }
}
