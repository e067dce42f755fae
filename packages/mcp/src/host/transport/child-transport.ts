import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { isNestedDeeper } from "@skillwright/core/internal";
import { type ChildProcess, spawn } from "node:child_process";
import { statSync } from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { ServerProblem } from "../connection/failure-of.ts";
import type { HostLimits } from "../host-limits.ts";
import { hideSecrets } from "../settings/secrets.ts";
import type { ProgramSettings } from "../settings/read-server-settings.ts";
import { endWithProcess } from "./end-with-process.ts";
import { LineSplitter } from "./line-splitter.ts";
import { TailLog } from "./tail-log.ts";
import { WantedMessages } from "./wanted-messages.ts";

const GRACE_MS = 1000;
const LAST_WORDS_MS = 200;
const MAX_STRAY = 200;
const MAX_UNSENT_BYTES = 32 * 1024 * 1024;

/**
 * A server that is a program of ours: one line of JSON per message. It leads a process group of its
 * own, so that whatever it starts ends with it, and it ends with us. While nobody waits for an answer
 * it does not keep this process alive.
 */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly log: TailLog;
  /** Why it ended, where that is known. */
  problem: ServerProblem | undefined;
  /** The first line that was no message. */
  stray: string | undefined;
  readonly #settings: ProgramSettings;
  readonly #limits: HostLimits;
  readonly #lines: LineSplitter;
  readonly #wanted = new WantedMessages();
  #child: ChildProcess | undefined;
  #exited: Promise<void> = Promise.resolve();
  #takeBack = () => {};
  #received = 0;
  #heard = 0;
  #users = 0;
  #isClosed = false;
  /** By us, so that its end says nothing about it. */
  #isEnding = false;

  constructor(settings: ProgramSettings, limits: HostLimits) {
    this.#settings = settings;
    this.#limits = limits;
    this.#lines = new LineSplitter(limits.messageBytes);
    this.log = new TailLog(limits.logBytes);
  }

  get processId(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#settings;
    const isWindows = process.platform === "win32";
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ["pipe", "pipe", "pipe"],
      shell: false,
      // On Windows this would open a window instead of making a group.
      detached: !isWindows,
      windowsHide: true,
    });
    this.#child = child;
    this.#exited = new Promise((resolve) => child.once("exit", () => resolve()));
    this.#takeBack = endWithProcess(() => this.#signal("SIGKILL"));
    child.stdout?.on("data", (chunk: Buffer) => this.#receive(chunk));
    child.stderr?.on("data", (chunk: Buffer) => this.#hear(chunk));
    for (const stream of child.stdio) stream?.on("error", () => {});
    child.on("exit", (code, signal) => {
      if (!this.#isEnding)
        this.problem ??= { reason: `it ended with ${signal ?? `exit code ${code}`}` };
      // What it started may hold the pipes; what it said last is still in them.
      this.#signal("SIGKILL");
      setTimeout(() => this.#ended(), LAST_WORDS_MS).unref();
    });
    child.on("close", () => this.#ended());
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (error) => {
        this.problem = startProblem(error, this.#settings);
        this.#ended();
        reject(new Error(this.problem.reason));
      });
    });
    this.#hold();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (this.#isClosed || stdin === undefined || stdin === null || !stdin.writable) {
      // A pipe may be closed before it is known how the server ended.
      if ("method" in message) await Promise.race([this.#exited, wait(LAST_WORDS_MS)]);
      throw new Error(this.problem?.reason ?? "the server is not running");
    }
    if (stdin.writableLength > MAX_UNSENT_BYTES) throw new Error("the server does not read");
    // Answers to what the server asks do not count: it could ask for ever.
    if ("method" in message) this.#received = this.#heard = 0;
    this.#wanted.sent(message);
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Keeps this process alive until it is called again with `false`. */
  use(isUsed: boolean): void {
    this.#users += isUsed ? 1 : -1;
    this.#hold();
  }

  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined || this.#isClosed) return;
    this.#isEnding = true;
    child.stdin?.end();
    const isOver = () => child.exitCode !== null || child.signalCode !== null;
    const after = async (milliseconds: number) =>
      void (isOver() || (await Promise.race([this.#exited, wait(milliseconds)])));
    await after(GRACE_MS);
    if (!isOver()) this.#signal("SIGTERM");
    await after(GRACE_MS);
    this.#ended();
  }

  /** It may say much, but not without an end: that would take all our time. */
  #hear(chunk: Buffer): void {
    if (this.#isClosed) return;
    this.log.add(chunk);
    this.#heard += chunk.length;
    const { floodBytes } = this.#limits;
    if (this.#heard > floodBytes) this.#fail(`it sent more than ${floodBytes} bytes on stderr`);
  }

  #receive(chunk: Buffer): void {
    if (this.#isClosed) return;
    this.#received += chunk.length;
    const { floodBytes, messageBytes } = this.#limits;
    const isFine =
      this.#received <= floodBytes && this.#lines.add(chunk, (line) => this.#read(line));
    if (isFine) return;
    const most = this.#received > floodBytes ? floodBytes : messageBytes;
    this.#fail(`it sent more than ${most} bytes`);
  }

  #read(line: string): void {
    if (this.#isClosed || line.trim() === "") return;
    const message = parseMessage(line);
    if (message !== undefined) {
      if (this.#wanted.isWanted(message)) this.onmessage?.(message);
      return;
    }
    this.stray ??= hideSecrets(line, this.#settings.secrets).slice(0, MAX_STRAY);
    this.onerror?.(new Error("the server sent a line that is not a message"));
  }

  #fail(reason: string): void {
    this.problem = { reason };
    this.onerror?.(new Error(reason));
    this.#ended();
  }

  /** Nothing of its group is left, also where the server itself is gone already. */
  #ended(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#takeBack();
    this.#signal("SIGKILL");
    for (const stream of this.#child?.stdio ?? []) stream?.destroy();
    this.onclose?.();
  }

  #signal(signal: NodeJS.Signals): void {
    const id = this.#child?.pid;
    if (id === undefined) return;
    try {
      if (process.platform === "win32") this.#child?.kill(signal);
      else process.kill(-id, signal);
    } catch {
      // It is gone.
    }
  }

  #hold(): void {
    const child = this.#child;
    if (child === undefined) return;
    const method = this.#users > 0 ? "ref" : "unref";
    child[method]();
    for (const stream of child.stdio) (stream as Socket | null)?.[method]?.();
  }
}

/** Why a program did not start. */
function startProblem(
  error: NodeJS.ErrnoException,
  { command, cwd }: Pick<ProgramSettings, "command" | "cwd">,
): ServerProblem {
  const { code, message } = error;
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return { reason: `its folder ${cwd} is not there`, hint: "look at its cwd in mcpServers" };
  }
  if (code === "ENOENT") {
    const hint = "is it installed, and on the PATH from which you start this?";
    return { reason: `its program ${command} is not found`, hint };
  }
  if (code === "EACCES" || code === "EPERM") {
    const hint = "make it executable, or name what runs it as the command";
    return { reason: `its program ${command} may not be run`, hint };
  }
  return { reason: `it cannot be started: ${code ?? message}` };
}

const MAX_DEPTH = 64;

/** A message of the protocol in its outline; what is in it is looked at by who asked for it. */
function parseMessage(line: string): JSONRPCMessage | undefined {
  if (isNestedDeeper(line, MAX_DEPTH)) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
    const { jsonrpc, method, id } = value as Record<string, unknown>;
    if (jsonrpc !== "2.0") return undefined;
    const isMessage =
      typeof method === "string" || typeof id === "string" || typeof id === "number";
    return isMessage ? (value as JSONRPCMessage) : undefined;
  } catch {
    return undefined;
  }
}
