import { type ChildProcess, spawn } from "node:child_process";
import type { Program } from "./find-program.ts";

export interface RunOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly timeoutMilliseconds: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal;
  /** Asked now and then; true ends the program. */
  readonly isTooMuch?: () => Promise<boolean>;
}

export interface ProgramResult {
  /** Why it ended; `exit` by itself. */
  readonly ended: "exit" | "timeout" | "canceled" | "too-much" | "not-started";
  readonly status: number | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const LOOK_MILLISECONDS = 200;
const GRACE_MILLISECONDS = 500;
const MAX_ERROR_BYTES = 16 * 1024;

/**
 * Runs a program without a shell, in a session of its own: it has no terminal to ask at, and all
 * that it started ends with it.
 */
export async function runProgram(
  program: Program,
  argv: readonly string[],
  options: RunOptions,
): Promise<ProgramResult> {
  if (options.signal?.aborted === true) return notRun("canceled");
  const child = spawn(program.file, [...program.before, ...argv], {
    cwd: options.cwd,
    env: options.env,
    detached: process.platform !== "win32",
    windowsHide: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const run = supervise(child, options);
  // A program that ended without reading is no reason for this one to end.
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  return run;
}

async function supervise(
  child: ChildProcess,
  { signal, timeoutMilliseconds, maxOutputBytes, isTooMuch }: RunOptions,
): Promise<ProgramResult> {
  let ended: ProgramResult["ended"] = "exit";
  const end = (reason: ProgramResult["ended"]) => {
    if (ended === "exit") ended = reason;
    kill(child);
  };
  const onExit = () => kill(child);
  const onAbort = () => end("canceled");
  const timer = setTimeout(() => end("timeout"), timeoutMilliseconds);
  const look = setInterval(() => {
    void isTooMuch?.().then((isIt) => isIt && end("too-much"));
  }, LOOK_MILLISECONDS);
  signal?.addEventListener("abort", onAbort, { once: true });
  process.once("exit", onExit);
  const stdout = collect(child.stdout, maxOutputBytes, () => end("too-much"));
  const stderr = collect(child.stderr, MAX_ERROR_BYTES);
  try {
    const status = await exitOf(child);
    // What a program leaves behind that ended by itself is meant to stay, such as a password cache.
    if ((await isTooMuch?.()) === true) end("too-much");
    if (status === "not-started") return notRun("not-started");
    return { ended, status, stdout: stdout(), stderr: stderr().toString("utf8") };
  } finally {
    clearTimeout(timer);
    clearInterval(look);
    signal?.removeEventListener("abort", onAbort);
    process.removeListener("exit", onExit);
  }
}

/** When its pipes are closed, or a little after its end when someone else holds them. */
async function exitOf(child: ChildProcess): Promise<number | null | "not-started"> {
  return new Promise((resolve) => {
    child.once("error", () => resolve("not-started"));
    child.once("close", (status) => resolve(status));
    child.once("exit", (status) => setTimeout(() => resolve(status), GRACE_MILLISECONDS).unref());
  });
}

function collect(
  stream: NodeJS.ReadableStream | null,
  maxBytes: number,
  onTooMuch?: () => void,
): () => Buffer {
  const chunks: Buffer[] = [];
  let bytes = 0;
  stream?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else onTooMuch?.();
  });
  return () => Buffer.concat(chunks);
}

function kill(child: ChildProcess): void {
  try {
    if (child.pid === undefined || process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

function notRun(ended: ProgramResult["ended"]): ProgramResult {
  return { ended, status: null, stdout: Buffer.alloc(0), stderr: "" };
}
