import type { AuditRecord } from "@skillwright/runtime";
import type { Console } from "../../console.ts";
import type { StopKind } from "../../terminal/stop-on-interrupt.ts";
import { createLiveView } from "./create-live-view.ts";
import { createPlainView } from "./create-plain-view.ts";

/** What a person sees of a run while it goes on, on stderr. None of these throws. */
export interface RunView {
  /** For `onEvent` of a run. */
  onEvent(record: AuditRecord): void;
  /** For `onText` of a run. */
  onText(text: string): void;
  /** Somebody wants the run to stop: after this step, or now; or nobody sees it any more. */
  stopping(how: StopKind): void;
  /** Takes what changes off the screen, for somebody else who writes there. */
  pause(): void;
  resume(): void;
  /** No more comes. What is worth keeping stays on the screen. */
  end(): void;
}

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
