import type { Readable, Writable } from "node:stream";
import pc from "picocolors";
import type { AppHost, Person } from "@skillwright/app";
import { escapeHiddenInJson } from "@skillwright/core/internal";
import type { Asking } from "./terminal/asking.ts";
import type { ManyQuestion } from "./terminal/choose.ts";
import { ChangingLines, type ScreenSize } from "./terminal/changing-lines.ts";
import type { Colors } from "./terminal/colors.ts";
import type { Input, InputLimits } from "./terminal/read-input.ts";
import { wrapText } from "./terminal/wrap-text.ts";
import { VERSION } from "./version.ts";

interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
}

/** What a command sees of the world outside; tests pass their own. */
export interface Surroundings {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Created on first use. Absent when no questions can be asked. */
  readonly stdin?: () => Readable & { readonly isTTY?: boolean };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Where the skills are that come with the command line. */
  readonly builtinDirectory?: string | undefined;
}

export interface GlobalOptions {
  readonly root?: readonly string[];
  readonly source?: string;
  readonly config?: string;
  readonly cwd?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
  readonly color?: boolean;
}

/** Of commands that print what happens as it happens. */
interface ConsoleOptions extends GlobalOptions {
  readonly events?: boolean;
}

/** Where a command puts its results (stdout) and everything else (stderr). */
export interface Console extends AppHost, Asking {
  readonly json: boolean;
  /** Stdout gets records as they come. */
  readonly events: boolean;
  readonly width: number;
  readonly colors: Colors;
  readonly isInteractive: boolean;
  /** Whether results go to a terminal, which would obey what is in them. */
  readonly isTerminal: boolean;
  /** Whether there is a person at a terminal who may be asked. */
  readonly canAsk: boolean;
  /** Whether the last lines of stderr can be drawn anew. */
  readonly canRedraw: boolean;
  /** Whether something else than a keyboard is at stdin. */
  readonly hasInput: boolean;
  /** stdin and stderr themselves, for who reads keys or lines and draws while they are typed. */
  readonly streams: Pick<Surroundings, "stdin" | "stderr">;
  /** All that is piped in; only where `hasInput`. */
  readInput(limits: InputLimits): Promise<Input>;
  /** Like `choose`, for any number of choices. */
  chooseMany(question: ManyQuestion): Promise<readonly string[] | undefined>;
  print(text: string): void;
  /** Like `print`, for sentences: on a terminal, lines end between words. */
  printText(text: string): void;
  /** The one JSON document of a `--json` run. */
  printJson(document: object): void;
  /** One of many JSON documents, on a line of its own. */
  printRecord(document: object): void;
  /** Replaces the last line of a terminal; does nothing elsewhere. */
  progress(text: string): void;
  /**
   * Replaces the last lines of a terminal, each of which has to fit; none takes them away. What is
   * noted meanwhile appears above them. Does nothing elsewhere, or while a question is open.
   */
  redraw(lines: readonly string[]): void;
}

export function createConsole(
  { stdout, stderr, stdin, env, cwd, builtinDirectory }: Surroundings,
  options: ConsoleOptions,
): Console {
  const json = options.json === true;
  const quiet = options.quiet === true;
  const isInteractive = stderr.isTTY === true && !isSet(env["CI"]);
  const events = options.events === true;
  const isForPeople = !quiet && !json && !events && env["TERM"] !== "dumb";
  const changing = new ChangingLines();
  let isAsking = false;
  const sizeOf = (): ScreenSize => ({ columns: stderr.columns || 80, rows: stderr.rows || 24 });
  let progressShown = false;
  const clearProgress = () => {
    if (progressShown) stderr.write("\r\u001B[2K");
    progressShown = false;
  };
  const clear = () => {
    clearProgress();
    if (!changing.isEmpty) stderr.write(changing.clear(sizeOf()));
  };
  const redraw = (lines: readonly string[]) => {
    if (!isInteractive || !isForPeople || isAsking) return;
    if (lines.length > 0 || !changing.isEmpty) stderr.write(changing.draw(lines, sizeOf()));
  };
  /** Nothing is drawn under a question. */
  const asking = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    clear();
    isAsking = true;
    try {
      return await ask();
    } finally {
      isAsking = false;
    }
  };
  return {
    cwd,
    env,
    builtinDirectory,
    version: VERSION,
    json,
    quiet,
    events,
    verbose: options.verbose === true,
    // A terminal that does not know its size says 0.
    width: Math.max(40, stdout.columns === 0 ? 80 : (stdout.columns ?? 100)),
    colors: pc.createColors(wantsColor(stdout, env, options)),
    noteColors: pc.createColors(wantsColor(stderr, env, options)),
    isInteractive,
    isTerminal: stdout.isTTY === true,
    get canAsk() {
      return isInteractive && isForPeople && stdin?.().isTTY === true;
    },
    canRedraw: isInteractive && isForPeople,
    get screenSize() {
      return sizeOf();
    },
    get hasInput() {
      return stdin !== undefined && stdin().isTTY !== true;
    },
    streams: { ...(stdin && { stdin }), stderr },
    person() {
      return this.canAsk ? personAt(this) : undefined;
    },
    async piped(maxBytes) {
      const { readPiped } = await import("./agent/input/piped-file.ts");
      return readPiped(maxBytes, this);
    },
    async readInput(limits) {
      if (stdin === undefined) return { ok: true, bytes: Buffer.alloc(0) };
      const { readInput } = await import("./terminal/read-input.ts");
      return readInput(stdin(), limits);
    },
    async choose(question, signal) {
      if (stdin === undefined) return undefined;
      const { choose } = await import("./terminal/choose.ts");
      const hasColors = wantsColor(stderr, env, options);
      // What is a terminal is also a stream.
      const output = stderr as unknown as Writable;
      return asking(() => choose(question, { input: stdin(), output, hasColors, signal }));
    },
    async askText(message, signal) {
      if (stdin === undefined) return undefined;
      const { askText } = await import("./terminal/choose.ts");
      const hasColors = wantsColor(stderr, env, options);
      const output = stderr as unknown as Writable;
      return asking(() => askText(message, { input: stdin(), output, hasColors, signal }));
    },
    async chooseMany(question) {
      if (stdin === undefined) return undefined;
      const { chooseMany } = await import("./terminal/choose.ts");
      const hasColors = wantsColor(stderr, env, options);
      const output = stderr as unknown as Writable;
      return asking(() => chooseMany(question, { input: stdin(), output, hasColors }));
    },
    print(text) {
      clear();
      stdout.write(`${text}\n`);
    },
    printText(text) {
      clear();
      stdout.write(`${fitted(text, stdout)}\n`);
    },
    printJson(document) {
      clear();
      stdout.write(`${harmlessJson({ schemaVersion: 1, ...document })}\n`);
    },
    printRecord(document) {
      clear();
      stdout.write(`${harmlessJson(document, 0)}\n`);
    },
    note(text) {
      clearProgress();
      const line = fitted(text, stderr);
      stderr.write(changing.isEmpty ? `${line}\n` : changing.above(line, sizeOf()));
    },
    progress(text) {
      if (!isInteractive || !isForPeople) return;
      clear();
      stderr.write(text);
      progressShown = true;
    },
    redraw,
  };
}

/** Who answers at the terminal. Loaded when there is a question. */
function personAt(console: Console): Person {
  const load = () => import("./runtime/terminal-approver.ts");
  return {
    approver: (onLeave) => ({
      ask: async (...request) =>
        (await load()).createTerminalApprover(console, onLeave).ask(...request),
    }),
    trust: async (question) => (await load()).askForTrust(question, console),
  };
}

function fitted(text: string, { isTTY = false, columns = 0 }: OutputStream): string {
  return isTTY ? wrapText(text, Math.max(40, columns || 80)) : text;
}

/** A terminal may obey what `JSON.stringify` leaves as it is. */
function harmlessJson(document: object, indent = 2): string {
  return JSON.stringify(document, null, indent).split("\n").map(escapeHiddenInJson).join("\n");
}

function wantsColor(stream: OutputStream, env: Surroundings["env"], options: GlobalOptions) {
  if (options.color === false || isSet(env["NO_COLOR"]) || env["TERM"] === "dumb") return false;
  return isSet(env["FORCE_COLOR"]) ? env["FORCE_COLOR"] !== "0" : stream.isTTY === true;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
