export interface StopSignals {
  /** Somebody wants it to end after what it is doing. */
  readonly stop: AbortSignal;
  /** Somebody wants it to end now. */
  readonly signal: AbortSignal;
  /** The same as a signal of the system to end now, for keys that a prompt reads. */
  readonly endNow: () => void;
}

/** `gone`: now, and the terminal is not there any more. */
export type StopKind = "after-step" | "now" | "gone";

interface StopOptions {
  readonly controller?: AbortController;
  /** After the first Ctrl-C, and when it is to end now. */
  readonly onStop?: (how: StopKind) => void;
}

const END_NOW = ["SIGTERM", "SIGHUP"] as const;

/**
 * Ctrl-C lets the step that is under way come to its end; a second one ends it now, and a third one
 * the process. SIGTERM and SIGHUP end it now, and the process when they come again.
 */
export async function stopOnInterrupt<Result>(
  work: (signals: StopSignals) => Promise<Result>,
  { controller = new AbortController(), onStop }: StopOptions = {},
): Promise<Result> {
  const stopping = new AbortController();
  const endAs = (how: StopKind) => {
    if (controller.signal.aborted) return;
    // Said first: what the end of the work writes may find no terminal.
    onStop?.(how);
    stopping.abort();
    controller.abort();
  };
  const endNow = () => endAs("now");
  const interrupt = () => {
    if (stopping.signal.aborted) {
      if (controller.signal.aborted) return die("SIGINT");
      return endNow();
    }
    stopping.abort();
    onStop?.("after-step");
  };
  const end = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) return die(name);
    endAs(name === "SIGHUP" ? "gone" : "now");
  };
  const forget = () => {
    process.off("SIGINT", interrupt);
    for (const name of END_NOW) process.off(name, end);
  };
  const die = (name: NodeJS.Signals) => {
    forget();
    process.kill(process.pid, name);
  };
  process.on("SIGINT", interrupt);
  for (const name of END_NOW) process.on(name, end);
  try {
    return await work({ stop: stopping.signal, signal: controller.signal, endNow });
  } finally {
    forget();
  }
}
