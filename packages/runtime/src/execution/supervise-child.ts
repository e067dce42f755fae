import { type ChildProcess, spawnSync } from "node:child_process";
import { closeSync, constants as files, openSync, unlinkSync } from "node:fs";
import { Socket } from "node:net";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import type { ExecutionContext } from "./executor.ts";
import { trustedProgram } from "./trusted-program.ts";
import { type CapturedOutput, OutputCapture } from "./output.ts";

/**
 * Where a child writes its two outputs. Node gives a child sockets, and a script that opens
 * `/dev/stderr` by name then fails; named pipes can be opened again.
 */
export interface OutputPipes {
  /** For the options of `spawn`, in place of standard output and error. */
  readonly stdio: readonly [number | "pipe", number | "pipe"];
  /** To be called once the child was started, or could not be. */
  started(child: ChildProcess): readonly [Readable | null, Readable | null];
  /** Gives the pipes back; those that another process may still hold are not used again. */
  done(isClean: boolean): void;
}

interface NamedPipe {
  readonly path: string;
  readonly readEnd: number;
  readonly writeEnd: number;
}

const BATCH = 16;
const free: string[] = [];
let made = 0;

/** `runDirectory` is the private folder of the run; the pipes lie beside it and are used again. */
export function openOutputPipes(runDirectory: string): OutputPipes {
  const first = openPipe(dirname(runDirectory));
  const second = first === undefined ? undefined : openPipe(dirname(runDirectory));
  if (first === undefined || second === undefined) return nodePipes();
  const pipes = [first, second] as const;
  return {
    stdio: [first.writeEnd, second.writeEnd],
    started() {
      for (const { writeEnd } of pipes) closeSync(writeEnd);
      const [stdout, stderr] = pipes.map(({ readEnd }) => streamOf(readEnd));
      return [stdout ?? null, stderr ?? null];
    },
    done(isClean) {
      for (const { path } of pipes) {
        if (isClean) free.push(path);
        else unlinkSync(path);
      }
    },
  };
}

function nodePipes(): OutputPipes {
  return {
    stdio: ["pipe", "pipe"],
    started: ({ stdout, stderr }) => [stdout, stderr],
    done() {},
  };
}

function streamOf(descriptor: number): Readable {
  return new Socket({ fd: descriptor, readable: true, writable: false });
}

function openPipe(base: string): NamedPipe | undefined {
  for (;;) {
    const path = free.pop() ?? makePipes(base);
    if (path === undefined) return undefined;
    try {
      const readEnd = openSync(path, files.O_RDONLY | files.O_NONBLOCK);
      const writeEnd = openSync(path, files.O_WRONLY);
      return { path, readEnd, writeEnd };
    } catch (error) {
      // The folder was removed under us: its pipes are gone, others can be made.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

/** Several at a time, since it takes a program to make them. Gives one and keeps the others. */
function makePipes(base: string): string | undefined {
  const mkfifo = trustedProgram("mkfifo");
  if (mkfifo === undefined) return undefined;
  const paths = Array.from({ length: BATCH }, () => join(base, `pipe-${++made}`));
  const { status } = spawnSync(mkfifo, ["-m", "600", ...paths], { stdio: "ignore", env: {} });
  if (status !== 0) return undefined;
  free.push(...paths.slice(1));
  return paths[0];
}

export interface SuperviseOptions extends ExecutionContext {
  readonly pipes: OutputPipes;
  readonly timeoutMs: number;
  readonly outputBytes: number;
  readonly stdin?: string;
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
/** A child that even this does not end is stuck in the kernel, and left there. */
const GIVE_UP_MS = 5000;
/** For output that is still on its way; a daemon may keep the pipes open for ever. */
const DRAIN_MS = 250;

/** Follows a child to its end, whatever it does. Never rejects. */
export async function superviseChild(
  child: ChildProcess,
  options: SuperviseOptions,
): Promise<ChildEnd> {
  const [out, error] = options.pipes.started(child);
  const stdout = capture(out, "stdout", options);
  const stderr = capture(error, "stderr", options);
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
  return {
    ...end,
    timedOut: stopped === "timedOut",
    canceled: stopped === "canceled",
    stdout: stdout.end(),
    stderr: stderr.end(),
  };
}

function capture(
  stream: Readable | null,
  name: "stdout" | "stderr",
  { onOutput, outputBytes }: SuperviseOptions,
): OutputCapture {
  const output = new OutputCapture(outputBytes, onOutput && ((text) => onOutput(text, name)));
  stream?.on("data", (chunk: Buffer) => output.write(chunk));
  stream?.on("error", () => {});
  return output;
}

function giveInput({ stdin }: ChildProcess, text: string): void {
  // A script that does not read its input may close the pipe.
  stdin?.on("error", () => {});
  stdin?.end(text);
}

/** Waits for the rest of the output; false when another process still holds a pipe. */
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
