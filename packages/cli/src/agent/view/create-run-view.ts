import type { Console } from "../../console.ts";
import { createLiveView } from "./create-live-view.ts";
import { createPlainView } from "./create-plain-view.ts";
import type { RunView } from "./run-view.ts";

/**
 * A live view on a terminal, plain lines elsewhere, and nothing where the person wants only the answer
 * or a program reads the records. A question of `console.choose` needs no `pause`.
 */
export function createRunView(console: Console): RunView {
  if (console.quiet || console.events) return SILENT;
  return console.canRedraw ? createLiveView(console) : createPlainView(console);
}

const nothing = () => {};

const SILENT: RunView = {
  onEvent: nothing,
  onText: nothing,
  stopping: nothing,
  pause: nothing,
  resume: nothing,
  end: nothing,
};
