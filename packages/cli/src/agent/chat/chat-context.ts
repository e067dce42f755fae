import type { Budget, Model } from "@skillwright/agent";
import type { FileStore } from "@skillwright/agent/internal";
import type { CommandContext, RunCommandOptions } from "../run-options.ts";

export interface ChatOptions extends RunCommandOptions {
  /** Go on with the last conversation of this project. */
  readonly continue?: boolean;
  /** Go on with this one: its id, or how that begins. */
  readonly resume?: string;
}

/** What every turn of a chat works with. */
export interface ChatContext extends CommandContext {
  readonly options: ChatOptions;
  readonly store: FileStore;
  readonly model: Model;
  /** Of each turn. */
  readonly budget: Partial<Budget>;
}
