import type { Readable, Writable } from "node:stream";
import pc from "picocolors";
import type { ManyQuestion, Question } from "./terminal/choose.ts";
import type { Colors } from "./terminal/colors.ts";
import { wrapText } from "./terminal/wrap-text.ts";

interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** What a command sees of the world outside; tests pass their own. */
export interface Surroundings {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Made when it is first needed; without it nobody can be asked. */
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

/** Where a command puts its results (stdout) and everything else (stderr). */
export interface Console {
  readonly cwd: string;
  readonly env: Surroundings["env"];
  readonly builtinDirectory?: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly width: number;
  readonly colors: Colors;
  /** Colours of stderr, which may be a terminal when stdout is not. */
  readonly noteColors: Colors;
  readonly isInteractive: boolean;
  /** Whether results go to a terminal, which would obey what is in them. */
  readonly isTerminal: boolean;
  /** Whether there is a person at a terminal who may be asked. */
  readonly canAsk: boolean;
  /** What a person chooses, on stderr; undefined when they walk away. Only where `canAsk`. */
  choose<Value extends string>(question: Question<Value>): Promise<Value | undefined>;
  /** The same for any number of choices. */
  chooseMany(question: ManyQuestion): Promise<readonly string[] | undefined>;
  print(text: string): void;
  /** Like `print`, for sentences: on a terminal, lines end between words. */
  printText(text: string): void;
  /** The one JSON document of a `--json` run. */
  printJson(document: object): void;
  note(text: string): void;
  /** Replaces the last line of a terminal; does nothing elsewhere. */
  progress(text: string): void;
}

export function createConsole(
  { stdout, stderr, stdin, env, cwd, builtinDirectory }: Surroundings,
  options: GlobalOptions,
): Console {
  const json = options.json === true;
  const quiet = options.quiet === true;
  const isInteractive = stderr.isTTY === true && !isSet(env["CI"]);
  let progressShown = false;
  const clear = () => {
    if (progressShown) stderr.write("\r\u001B[2K");
    progressShown = false;
  };
  return {
    cwd,
    env,
    builtinDirectory,
    json,
    quiet,
    verbose: options.verbose === true,
    width: Math.max(40, stdout.columns ?? 100),
    colors: pc.createColors(wantsColor(stdout, env, options)),
    noteColors: pc.createColors(wantsColor(stderr, env, options)),
    isInteractive,
    isTerminal: stdout.isTTY === true,
    get canAsk() {
      const mayAsk = isInteractive && !quiet && !json && env["TERM"] !== "dumb";
      return mayAsk && stdin?.().isTTY === true;
    },
    async choose(question) {
      if (stdin === undefined) return undefined;
      clear();
      const { choose } = await import("./terminal/choose.ts");
      const hasColors = wantsColor(stderr, env, options);
      // What is a terminal is also a stream.
      return choose(question, { input: stdin(), output: stderr as unknown as Writable, hasColors });
    },
    async chooseMany(question) {
      if (stdin === undefined) return undefined;
      clear();
      const { chooseMany } = await import("./terminal/choose.ts");
      const hasColors = wantsColor(stderr, env, options);
      const output = stderr as unknown as Writable;
      return chooseMany(question, { input: stdin(), output, hasColors });
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
    note(text) {
      clear();
      stderr.write(`${fitted(text, stderr)}\n`);
    },
    progress(text) {
      if (!isInteractive || quiet || json) return;
      clear();
      stderr.write(text);
      progressShown = true;
    },
  };
}

function fitted(text: string, { isTTY = false, columns = 0 }: OutputStream): string {
  return isTTY && columns > 0 ? wrapText(text, Math.max(40, columns)) : text;
}

/** JSON's own escapes for what a terminal would obey and `JSON.stringify` leaves as it is. */
function harmlessJson(document: object): string {
  return JSON.stringify(document, null, 2).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff]|\udb40[\udc00-\udfff]/g,
    (text) =>
      Array.from({ length: text.length }, (_, i) => {
        return `\\u${text.charCodeAt(i).toString(16).padStart(4, "0")}`;
      }).join(""),
  );
}

function wantsColor(stream: OutputStream, env: Surroundings["env"], options: GlobalOptions) {
  if (options.color === false || isSet(env["NO_COLOR"]) || env["TERM"] === "dumb") return false;
  return isSet(env["FORCE_COLOR"]) ? env["FORCE_COLOR"] !== "0" : stream.isTTY === true;
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
