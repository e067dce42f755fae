import type { AuditRecord } from "@skillwright/runtime";
import type { StopKind } from "../../terminal/stop-on-interrupt.ts";

/** What a person sees of a run while it goes on, on stderr. None of these throws. */
export interface RunView {
  /** For `onEvent` of a run. */
  onEvent(record: AuditRecord): void;
  /** For `onText` of a run. */
  onText(text: string): void;
  /** Stop requested: after this step, or now; or the output was closed. */
  stopping(how: StopKind): void;
  /** Takes what changes off the screen, for somebody else who writes there. */
  pause(): void;
  resume(): void;
  /** No more comes. What is worth keeping stays on the screen. */
  end(): void;
}
