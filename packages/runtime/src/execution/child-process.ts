import {
  errorCode,
  hasProcessEnded,
  ownIdentity,
  parseIdentity,
  readIfPresent,
  removeQuietly,
} from "@skillwright/core/internal";
import { type ChildProcess, spawn, type SpawnOptions, spawnSync } from "node:child_process";
import {
  accessSync,
  closeSync,
  constants as files,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { Socket } from "node:net";
import { constants, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { trustedProgram } from "./find-program.ts";

const PREFIX = "skillwright-run-";
/** Tells which process made the folder it is in. */
const OWNER = "owner";
const MEMORY = "/dev/shm";
const TMPFS = 0x01021994;
const MIN_MEMORY_BYTES = 1024 ** 3;

const bases = new Map<string, string>();
let count = 0;

/**
 * A new private folder for one run. Runs of this process share a parent that
 * names its process, so that what a killed process left behind is found and removed.
 */
export function makeRunDirectory(parent: string = memoryDirectory()): string {
  let base = bases.get(parent);
  if (base === undefined || lstatSync(base, { throwIfNoEntry: false }) === undefined) {
    removeStaleRuns(parent);
    base = mkdtempSync(join(parent, PREFIX));
    writeFileSync(join(base, OWNER), JSON.stringify(ownIdentity()));
    if (bases.size === 0)
      process.once("exit", () => [...bases.values()].forEach(removeRunDirectory));
    bases.set(parent, base);
  }
  const directory = join(base, String(++count));
  mkdirSync(directory, { mode: 0o700 });
  return directory;
}

/** The folder that the runs of this process share; what it holds lives as long as the process. */
export function sharedDirectory(runDirectory: string): string {
  return dirname(runDirectory);
}

/** A folder in memory where there is room: copies of skills are small and short-lived. */
function memoryDirectory(): string {
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY);
    accessSync(MEMORY, files.W_OK | files.X_OK);
    if (type === TMPFS && bavail * bsize > MIN_MEMORY_BYTES) return MEMORY;
  } catch {
    // Not every system has it.
  }
  return tmpdir();
}

export function removeRunDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true, maxRetries: 2 });
}

/** The same in the background: no caller waits for it. What stays goes when the process ends. */
export function removeSoon(directory: string): void {
  setImmediate(() => removeQuietly(directory));
}

/** Removes what ended processes of this user have left. */
function removeStaleRuns(parent: string): void {
  for (const name of readdirSync(parent).filter((one) => one.startsWith(PREFIX))) {
    const directory = join(parent, name);
    const stats = lstatSync(directory, { throwIfNoEntry: false });
    if (stats?.isDirectory() !== true || stats.uid !== process.getuid?.()) continue;
    const owner = parseIdentity(readIfPresent(join(directory, OWNER))?.toString("utf8") ?? "");
    if (owner === undefined || !hasProcessEnded(owner)) continue;
    try {
      removeRunDirectory(directory);
    } catch (error) {
      // Another process is removing it at the same time.
      if (!["ENOENT", "ENOTEMPTY"].includes(errorCode(error) ?? "")) throw error;
    }
  }
}

/** Colours carry nothing that a model or a record needs. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const COLORS = /\u001b\[[0-9;:]*m/g;
const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const PICTURES = 0x2400;

/** Text that a terminal shows and does not obey: controls become visible signs. */
export function harmlessText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(COLORS, "").replace(CONTROLS, pictureOf);
}

function pictureOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(PICTURES + code);
  return code === 0x7f ? "\u2421" : "\uFFFD";
}

interface CapturedOutput {
  readonly text: string;
  readonly truncated: boolean;
}

/**
 * Keeps the beginning and the end of a stream within a cap, however long it is. Memory is bounded
 * by the cap: bytes are copied, which keeps no larger buffer alive.
 */
export class OutputCapture {
  readonly #head: Buffer;
  /** A ring. */
  readonly #tail: Buffer;
  readonly #decoder = new StringDecoder("utf8");
  readonly #onText: ((text: string) => void) | undefined;
  #total = 0;
  #tailEnd = 0;

  /** `onText` gets harmless text as it comes. */
  constructor(cap: number, onText?: (text: string) => void) {
    this.#head = Buffer.alloc(Math.ceil(cap / 2));
    this.#tail = Buffer.alloc(Math.floor(cap / 2));
    this.#onText = onText;
  }

  write(chunk: Buffer): void {
    const intoHead = Math.min(chunk.length, Math.max(0, this.#head.length - this.#total));
    chunk.copy(this.#head, this.#total, 0, intoHead);
    this.#total += chunk.length;
    const { length } = this.#tail;
    if (intoHead < chunk.length && length > 0) {
      const last = chunk.subarray(Math.max(intoHead, chunk.length - length));
      const first = last.copy(this.#tail, this.#tailEnd);
      last.copy(this.#tail, 0, first);
      this.#tailEnd = (this.#tailEnd + last.length) % length;
    }
    if (this.#onText !== undefined) this.#pass(this.#decoder.write(chunk));
  }

  end(): CapturedOutput {
    if (this.#onText !== undefined) this.#pass(this.#decoder.end());
    const head = this.#head.subarray(0, Math.min(this.#total, this.#head.length));
    const rest = this.#total - head.length;
    const left = Math.max(0, rest - this.#tail.length);
    const start = left > 0 ? this.#tailEnd : 0;
    const ring = Buffer.concat([this.#tail.subarray(start), this.#tail.subarray(0, start)]);
    const tail = ring.subarray(0, rest - left);
    const text =
      left === 0
        ? Buffer.concat([head, tail]).toString("utf8")
        : `${wholeEnd(head)}\n[… ${left} bytes left out …]\n${wholeStart(tail)}`;
    return { text: harmlessText(text), truncated: left > 0 };
  }

  #pass(text: string): void {
    if (text !== "") this.#onText?.(harmlessText(text));
  }
}

/** Without the half of a character that the cut left at the end. */
function wholeEnd(bytes: Buffer): string {
  return new StringDecoder("utf8").write(bytes);
}

function wholeStart(bytes: Buffer): string {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.toString("utf8", start);
}

/** A file of the system; empty where it cannot be read: processes end, and systems differ. */
export function systemText(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}

/** The parent of a process that lives; undefined when it does not, or only its entry is left. */
export function parentOfProcess(pid: number): number | undefined {
  const stat = systemText(`/proc/${pid}/stat`);
  const [state = "", parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ["", "Z", "X"].includes(state) ? undefined : Number(parent);
}

export function childrenOfProcess(pid: number): readonly number[] {
  const text = systemText(`/proc/${pid}/task/${pid}/children`);
  return text.split(" ").filter(Boolean).map(Number);
}

/** Sends a signal, if the process still lives. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended already.
  }
}

const GONE_WITHIN_MS = 5000;

export async function processGone(pid: number): Promise<void> {
  const end = performance.now() + GONE_WITHIN_MS;
  while (parentOfProcess(pid) !== undefined && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

export const RUN_MARKER = "SKILLWRIGHT_RUN";
const ROUNDS = 5;

/**
 * Ends processes that left the group of their script, found by a variable that they inherited. One that
 * clears its environment is not found: only a sandbox stops that.
 */
export function killMarkedProcesses(marker: string): void {
  if (process.platform !== "linux") return;
  const wanted = `${RUN_MARKER}=${marker}\0`;
  // A process may start another one meanwhile.
  for (let round = 0; round < ROUNDS; round++) {
    const found = readdirSync("/proc").filter(
      (pid) => /^\d+$/.test(pid) && systemText(`/proc/${pid}/environ`).includes(wanted),
    );
    if (found.length === 0) return;
    for (const pid of found) sendSignal(Number(pid), "SIGKILL");
  }
}

const CLOSE_ON_EXECUTE = 0o2000000;
let known: readonly number[] | undefined;
let nothing: number | undefined;

/**
 * What a child gets as its descriptors from `from` on. It must not inherit those that this process was
 * started with: an open folder would be a way out of a sandbox. Node closes only those before a gap.
 */
export function coverDescriptors(from: number): ("ignore" | number)[] {
  known ??= inheritedDescriptors();
  const leaking = known.filter((descriptor) => descriptor >= from);
  if (leaking.length === 0) return [];
  nothing ??= openSync("/dev/null", "r+");
  const cover = nothing;
  const last = Math.max(...leaking);
  return Array.from({ length: last - from + 1 }, (_, i) =>
    leaking.includes(from + i) ? cover : "ignore",
  );
}

function inheritedDescriptors(): readonly number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc/self/fd").flatMap((name) => {
    const flags = /^flags:\s*(\d+)/m.exec(systemText(`/proc/self/fdinfo/${name}`))?.[1];
    const isInherited = (Number.parseInt(flags ?? "", 8) & CLOSE_ON_EXECUTE) === 0;
    return Number(name) > 2 && flags !== undefined && isInherited ? [Number(name)] : [];
  });
}

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

const BATCH = 64;
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

export interface SuperviseOptions {
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string, stream: "stdout" | "stderr") => void;
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
