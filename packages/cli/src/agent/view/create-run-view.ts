import type { RunUsage } from "@skillwright/agent/internal";
import type { Console } from "../../console.ts";
import { createLiveView } from "./create-live-view.ts";
import { createPlainView } from "./create-plain-view.ts";
import type { RunView } from "./run-view.ts";

/**
 * A live view on a terminal, plain lines elsewhere, and nothing where the person wants only the answer
 * or a program reads the records. `used` is what a resumed run had used before. A question of `console.choose` needs no `pause`.
 */
export function createRunView(console: Console, used?: RunUsage): RunView {
  if (console.quiet || console.events) return SILENT;
  return console.canRedraw ? createLiveView(console, used) : createPlainView(console);
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
