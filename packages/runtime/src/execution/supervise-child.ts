import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { closeSync, constants as files, openSync, unlinkSync } from "node:fs";
import { Socket } from "node:net";
import { constants } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { ExecutionContext } from "./executor.ts";
import { type CapturedOutput, OutputCapture } from "./output.ts";
import { coverDescriptors } from "./processes.ts";
import { sharedDirectory } from "./run-directory.ts";
import { trustedProgram } from "./trusted-program.ts";

export interface StartedChild {
  readonly child: ChildProcess;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
}

interface StartOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hasInput: boolean;
  /** Private folder of the run. */
  readonly directory: string;
  /** What the child gets as its descriptors from 3 on. */
  readonly more?: readonly ("pipe" | "ignore" | number)[];
}

/**
 * Starts a process in a group of its own. Node would give it sockets to write to, and a script that opens
 * `/dev/stderr` by name then fails; named pipes can be opened again.
 */
export function startChild(
  [program = "", ...args]: readonly string[],
  { cwd, env, hasInput, directory, more = [] }: StartOptions,
): StartedChild {
  const [out, error] = [openPipe(directory), openPipe(directory)];
  const options: SpawnOptions = {
    cwd,
    env,
    detached: true,
    stdio: [
      hasInput ? "pipe" : "ignore",
      out?.writeEnd ?? "pipe",
      error?.writeEnd ?? "pipe",
      ...more,
      ...coverDescriptors(3 + more.length),
    ],
  };
  const child = spawn(program, args, options);
  for (const pipe of [out, error]) if (pipe !== undefined) closeSync(pipe.writeEnd);
  return {
    child,
    stdout: out === undefined ? child.stdout : streamOf(out.readEnd),
    stderr: error === undefined ? child.stderr : streamOf(error.readEnd),
  };
}

function streamOf(descriptor: number): Readable {
  return new Socket({ fd: descriptor, readable: true, writable: false });
}

const BATCH = 16;
const unused: string[] = [];
let made = 0;

function openPipe(
  directory: string,
): { readonly readEnd: number; readonly writeEnd: number } | undefined {
  const path = unused.pop() ?? makePipes(sharedDirectory(directory));
  if (path === undefined) return undefined;
  try {
    const readEnd = openSync(path, files.O_RDONLY | files.O_NONBLOCK);
    const writeEnd = openSync(path, files.O_WRONLY);
    unlinkSync(path);
    return { readEnd, writeEnd };
  } catch (error) {
    // The folder was removed under us: its pipes are gone, others can be made.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return openPipe(directory);
  }
}

/** Several at a time, since it takes a program to make them. Gives one and keeps the others. */
function makePipes(base: string): string | undefined {
  const mkfifo = trustedProgram("mkfifo");
  if (mkfifo === undefined) return undefined;
  const paths = Array.from({ length: BATCH }, () => join(base, `pipe-${++made}`));
  const { status } = spawnSync(mkfifo, ["-m", "600", ...paths], { env: {}, stdio: "ignore" });
  if (status !== 0) return undefined;
  unused.push(...paths);
  return unused.pop();
}

export interface SuperviseOptions extends ExecutionContext {
  readonly timeoutMs: number;
  readonly outputBytes: number;
  readonly stdin?: string | undefined;
  /** Asks the script to end. */
  readonly terminate: () => void;
  /** Ends everything the script started; also called when it ended by itself. */
  readonly kill: () => void;
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
  { child, stdout, stderr }: StartedChild,
  { signal, timeoutMs, outputBytes, stdin, onOutput, terminate, kill }: SuperviseOptions,
): Promise<ChildEnd> {
  const capture = (stream: Readable | null, name: "stdout" | "stderr") => {
    const output = new OutputCapture(outputBytes, onOutput && ((text) => onOutput(text, name)));
    stream?.on("data", (chunk: Buffer) => output.write(chunk));
    stream?.on("error", () => {});
    return output;
  };
  const captured = [capture(stdout, "stdout"), capture(stderr, "stderr")] as const;
  let stopped: "timedOut" | "canceled" | undefined;
  const timers: NodeJS.Timeout[] = [];
  const later = (milliseconds: number, work: () => void) =>
    timers.push(setTimeout(work, milliseconds));
  let cancel = () => {};
  const ended = new Promise<Pick<ChildEnd, "exitCode" | "signal" | "startError">>((resolve) => {
    child.once("exit", (code, signal) => resolve(endOf(code, signal)));
    child.once("error", ({ message }) => {
      if (child.pid === undefined) resolve({ exitCode: null, signal: null, startError: message });
    });
    const stop = (why: "timedOut" | "canceled") => {
      if (stopped !== undefined) return;
      stopped = why;
      terminate();
      later(GRACE_MS, kill);
      later(GRACE_MS + GIVE_UP_MS, () => resolve(endOf(null, "SIGKILL")));
    };
    later(timeoutMs, () => stop("timedOut"));
    cancel = () => stop("canceled");
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted === true) cancel();
  });
  if (stdin !== undefined) {
    // A script that does not read its input may close the pipe.
    child.stdin?.on("error", () => {});
    child.stdin?.end(stdin);
  }
  const end = await ended;
  signal?.removeEventListener("abort", cancel);
  for (const timer of timers) clearTimeout(timer);
  kill();
  await drained([stdout, stderr]);
  for (const stream of child.stdio) stream?.destroy();
  return {
    ...end,
    timedOut: stopped === "timedOut",
    canceled: stopped === "canceled",
    stdout: captured[0].end(),
    stderr: captured[1].end(),
  };
}

/** Waits for the rest of the output, unless another process still holds a pipe. */
async function drained(streams: readonly (Readable | null)[]): Promise<void> {
  const open = streams.filter((stream) => stream !== null && !stream.closed);
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    Promise.all(open.map((stream) => new Promise((resolve) => stream?.once("close", resolve)))),
    new Promise((resolve) => (timer = setTimeout(resolve, DRAIN_MS))),
  ]);
  clearTimeout(timer);
  for (const stream of open) stream?.destroy();
}

function endOf(
  code: number | null,
  signal: NodeJS.Signals | null,
): Pick<ChildEnd, "exitCode" | "signal"> {
  if (signal !== null) return { exitCode: 128 + constants.signals[signal], signal };
  return { exitCode: code, signal: null };
}
