import type { Budget } from "@skillwright/agent";
import type { FileStore } from "@skillwright/agent/internal";
import type { App } from "@skillwright/app";
import type { Skills } from "@skillwright/core";
import type { Console } from "../../console.ts";
import type { RunCommandOptions } from "../run-options.ts";

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
