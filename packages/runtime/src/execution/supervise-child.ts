import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import type { ExecutionContext } from "./executor.ts";
import { type CapturedOutput, OutputCapture, SpillFile } from "./output.ts";
import type { OutputPipes } from "./output-pipes.ts";

export interface SuperviseOptions extends ExecutionContext {
  readonly pipes: OutputPipes;
  readonly timeoutMs: number;
  readonly outputBytes: number;
  readonly stdin?: string;
  readonly spillDirectory?: string;
  /** Asks the script to end. */
  terminate(): void;
  /** Ends everything the script started; also called when it ended by itself. */
  kill(): void;
}

export interface ChildEnd {
  /** 128 and the number of the signal when one ended the child; null when it never started. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  readonly canceled: boolean;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly startError?: string;
}

/** Between the request to end and the end. */
const GRACE_MS = 1000;
/** A child that even this does not end is stuck in the kernel; nobody waits for it. */
const GIVE_UP_MS = 5000;
/** For output that is still on its way; a daemon may keep the pipes open for ever. */
const DRAIN_MS = 250;

/** Follows a child to its end, whatever it does. Never rejects. */
export async function superviseChild(
  child: ChildProcess,
  options: SuperviseOptions,
): Promise<ChildEnd> {
  const [out, error] = options.pipes.started(child);
  const streams = [capture(out, "stdout", options), capture(error, "stderr", options)] as const;
  let stopped: "timedOut" | "canceled" | undefined;
  const timers = new Set<NodeJS.Timeout>();
  const later = (work: () => void, milliseconds: number) =>
    timers.add(setTimeout(work, milliseconds));

  const ended = new Promise<Pick<ChildEnd, "exitCode" | "signal" | "startError">>((resolve) => {
    child.once("exit", (code, signal) => resolve(endOf(code, signal)));
    child.once("error", (error) => {
      if (child.pid === undefined) {
        resolve({ exitCode: null, signal: null, startError: error.message });
      }
    });
    const stop = (why: "timedOut" | "canceled") => {
      if (stopped !== undefined) return;
      stopped = why;
      options.terminate();
      later(() => options.kill(), GRACE_MS);
      later(() => resolve(endOf(null, "SIGKILL")), GRACE_MS + GIVE_UP_MS);
    };
    later(() => stop("timedOut"), options.timeoutMs);
    const cancel = () => stop("canceled");
    options.signal?.addEventListener("abort", cancel, { once: true });
    child.once("exit", () => options.signal?.removeEventListener("abort", cancel));
    if (options.signal?.aborted === true) cancel();
  });

  if (options.stdin !== undefined) giveInput(child, options.stdin);
  const end = await ended;
  for (const timer of timers) clearTimeout(timer);
  options.kill();
  const isClean = await drained([out, error]);
  for (const stream of child.stdio) stream?.destroy();
  options.pipes.done(isClean);
  const [stdout, stderr] = streams.map((stream) => stream.end());
  return {
    ...end,
    timedOut: stopped === "timedOut",
    canceled: stopped === "canceled",
    stdout: stdout ?? { text: "", truncated: false },
    stderr: stderr ?? { text: "", truncated: false },
  };
}

function capture(
  stream: Readable | null,
  name: "stdout" | "stderr",
  { onOutput, outputBytes, spillDirectory }: SuperviseOptions,
) {
  const listeners: ((text: string) => boolean)[] = [];
  const spill =
    spillDirectory === undefined ? undefined : new SpillFile(spillDirectory, `${name}.txt`);
  if (spill !== undefined) listeners.push((text) => spill.write(text));
  if (onOutput !== undefined) {
    listeners.push((text) => {
      onOutput(text, name);
      return true;
    });
  }
  const output = new OutputCapture(outputBytes, listeners);
  stream?.on("data", (chunk: Buffer) => output.write(chunk));
  stream?.on("error", () => {});
  return {
    end() {
      const captured = output.end();
      spill?.close();
      return captured;
    },
  };
}

function giveInput({ stdin }: ChildProcess, text: string): void {
  // A script that does not read its input closes the pipe; that is no error.
  stdin?.on("error", () => {});
  stdin?.end(text);
}

/** Waits for the rest of the output; false when someone still holds a pipe. */
async function drained(streams: readonly (Readable | null)[]): Promise<boolean> {
  const open = streams.filter((stream) => stream !== null && !stream.closed);
  let timer: NodeJS.Timeout | undefined;
  const isClean = await Promise.race([
    Promise.all(open.map((stream) => new Promise((resolve) => stream?.once("close", resolve)))),
    new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), DRAIN_MS);
    }),
  ]);
  clearTimeout(timer);
  for (const stream of open) stream?.destroy();
  return isClean !== undefined;
}

function endOf(
  code: number | null,
  signal: NodeJS.Signals | null,
): Pick<ChildEnd, "exitCode" | "signal"> {
  if (signal !== null) return { exitCode: 128 + constants.signals[signal], signal };
  return { exitCode: code, signal: null };
}
