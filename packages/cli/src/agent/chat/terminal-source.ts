import { EventEmitter } from "node:events";
import {
  clearScreenDown,
  createInterface,
  cursorTo,
  type Interface,
  moveCursor,
} from "node:readline";
import type { Readable, Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { displayWidth, plural, truncateWidth, visibleLine } from "@skillwright/core/internal";
import type { Candidate, Completion } from "./complete-chat.ts";
import type { InputHistory } from "./input-history.ts";
import type { InputSource, ReadLine } from "./input-source.ts";

export interface Terminal {
  readonly input: Readable & { setRawMode?(isRaw: boolean): unknown };
  readonly output: Writable & { readonly columns?: number; readonly rows?: number };
}

interface TerminalOptions {
  readonly prompt: string;
  readonly dim: (text: string) => string;
  readonly history: Pick<InputHistory, "entries" | "add">;
  readonly complete: (textBefore: string) => Completion | undefined;
  /** Ctrl-C during a turn. */
  readonly onInterrupt: () => void;
}

/** The line can be set, although its type says otherwise. */
type Line = Interface & { line: string; cursor: number };

const PASTE_BEGINS = "\u001B[200~";
const PASTE_ENDS = "\u001B[201~";
const PASTE_ON = "\u001B[?2004h";
const PASTE_OFF = "\u001B[?2004l";
const CTRL_C = "\u0003";
/** Ctrl+J and Alt+Return, which `node:readline` sends or ignores. */
const NEW_LINE_KEYS = new Set(["\n", "\u001B\r", "\u001B\n"]);
const CONTINUATION = "  ";
const ESCAPE_TIMEOUT_MS = 50;
const MAX_HISTORY = 500;
/** A longer text is shown as a placeholder: `node:readline` cannot scroll. */
const MAX_LINES = 8;
const MAX_CHARACTERS = 600;
const MAX_CANDIDATES = 16;
const MAX_AHEAD = 100_000;
/** The third Ctrl-C ends the process, which must find the terminal as it was. */
const ENDS_PROCESS = 3;

/**
 * A person at a terminal. `node:readline` edits the line; this adds pasted text of several lines,
 * candidates with descriptions, and typing ahead: what is typed during a turn goes into the next line.
 * It is never sent and never reaches a question, so that no approval is given blindly.
 */
export class TerminalSource implements InputSource {
  readonly #terminal: Terminal;
  readonly #options: TerminalOptions;
  readonly #decoder = new StringDecoder("utf8");
  readonly #onData = (chunk: Buffer) => this.#receive(this.#decoder.write(chunk));
  /** Texts by their placeholders. */
  readonly #folded = new Map<string, string>();
  #line: Line | undefined;
  /** The keys of the line, without pasted text. */
  #keys = new EventEmitter();
  /** Text since a paste began. */
  #pasted: string | undefined;
  /** The beginning of a paste marker whose rest is to come. */
  #partial = "";
  #ahead = "";
  #interrupts = 0;

  constructor(terminal: Terminal, options: TerminalOptions) {
    this.#terminal = terminal;
    this.#options = options;
  }

  /** Collects what is typed, after a question too. */
  watch(): void {
    const { input } = this.#terminal;
    input.setRawMode?.(true);
    input.on("data", this.#onData);
    input.resume();
  }

  /** Leaves the keyboard to a question. */
  release(): void {
    const { input } = this.#terminal;
    input.off("data", this.#onData);
    input.pause();
    input.setRawMode?.(false);
  }

  close(): void {
    this.#line?.close();
    this.release();
  }

  async next(): Promise<ReadLine> {
    const { input, output } = this.#terminal;
    this.#interrupts = 0;
    output.write(PASTE_ON);
    this.watch();
    const result = await new Promise<ReadLine>((resolve) => {
      const line = this.#open();
      let sent = "";
      let isLeaving = false;
      const finish = (read: ReadLine) => {
        // What comes in one go with the Return is for the next line.
        this.#line = undefined;
        line.off("close", end).close();
        input.off("end", end).off("error", end);
        process.off("SIGINT", interrupt);
        if (read.kind !== "line") output.write("\r\n");
        resolve(read);
      };
      const end = () => finish({ kind: "end" });
      const interrupt = () => finish({ kind: "interrupt" });
      // A terminal that is gone reads as an error.
      input.on("end", end).on("error", end);
      process.on("SIGINT", interrupt);
      line.on("close", end);
      line.on("line", (typed) => {
        isLeaving = false;
        if (!typed.endsWith("\\"))
          return finish({ kind: "line", text: this.#unfold(sent + typed) });
        sent += `${typed.slice(0, -1)}\n`;
        line.setPrompt(CONTINUATION);
        line.prompt();
      });
      line.on("SIGINT", () => {
        if (isLeaving && line.line === "") return interrupt();
        isLeaving = true;
        sent = "";
        line.setPrompt(this.#options.prompt);
        this.#set("", 0);
        this.#showAbove(["Ctrl-C once more leaves"]);
      });
      line.prompt();
      this.#insert(withoutKeys(this.#ahead));
      this.#ahead = "";
    });
    output.write(PASTE_OFF);
    this.release();
    if (result.kind === "line") this.#options.history.add(result.text);
    return result;
  }

  #open(): Line {
    const { input, output } = this.#terminal;
    const { prompt, history, complete } = this.#options;
    this.#keys = Object.assign(new EventEmitter(), {
      pause: () => undefined,
      resume: () => undefined,
      // For Ctrl-Z, which gives the terminal back until the process goes on.
      setRawMode: (isRaw: boolean) => input.setRawMode?.(isRaw),
    });
    const recent = history.entries.slice(-MAX_HISTORY).reverse();
    this.#line = createInterface({
      input: this.#keys as unknown as Readable,
      output,
      terminal: true,
      prompt,
      history: recent.map((text) => this.#fold(text)),
      historySize: MAX_HISTORY,
      escapeCodeTimeout: ESCAPE_TIMEOUT_MS,
      completer: (before: string) => this.#complete(before, complete(before)),
    });
    return this.#line;
  }

  #receive(text: string): void {
    let rest = this.#partial + text;
    this.#partial = "";
    while (rest !== "" && this.#line !== undefined) rest = this.#feed(rest);
    if (rest !== "") this.#keep(rest);
  }

  /** Takes keys up to a Return, or a paste; gives what is left. */
  #feed(text: string): string {
    const isPaste = this.#pasted !== undefined;
    const marker = isPaste ? PASTE_ENDS : PASTE_BEGINS;
    const at = text.indexOf(marker);
    let until = at === -1 ? text.length - partialLength(text, marker) : at;
    if (isPaste) {
      this.#pasted += text.slice(0, until);
      if (at !== -1) this.#insert(this.#pasted ?? "");
    } else {
      const enter = NEW_LINE_KEYS.has(text) ? -1 : text.slice(0, until).indexOf("\r");
      if (enter !== -1) until = enter + 1;
      const keys = text.slice(0, until);
      if (NEW_LINE_KEYS.has(keys)) this.#insert("\n");
      else this.#press(keys);
      if (enter !== -1) return text.slice(until);
    }
    if (at === -1) {
      this.#partial = text.slice(until);
      return "";
    }
    this.#pasted = isPaste ? undefined : "";
    return text.slice(at + marker.length);
  }

  /** One by one: of several at once `node:readline` draws the last row only, and not where the cursor is. */
  #press(keys: string): void {
    const isPasted = /\t[^\r]/.test(keys);
    for (const key of keys) {
      if (key === "\t" && isPasted) this.#insert(key);
      else this.#keys.emit("data", Buffer.from(key));
    }
  }

  #keep(text: string): void {
    for (let count = text.split(CTRL_C).length; count > 1; count--) {
      this.#interrupts++;
      if (this.#interrupts >= ENDS_PROCESS) this.release();
      this.#options.onInterrupt();
    }
    this.#ahead = (this.#ahead + text.replaceAll(CTRL_C, "")).slice(0, MAX_AHEAD);
  }

  #set(line: string, cursor: number): void {
    if (this.#line === undefined) return;
    Object.assign(this.#line, { line, cursor });
    this.#line.prompt(true);
  }

  #insert(text: string): void {
    const { line = "", cursor = 0 } = this.#line ?? {};
    const added = this.#fold(text.replaceAll(/\r\n?/g, "\n").replaceAll(CONTROLS, ""), line);
    if (added === "") return;
    this.#set(line.slice(0, cursor) + added + line.slice(cursor), cursor + added.length);
  }

  #fold(text: string, beside = ""): string {
    const lines = text.split("\n").length;
    const all = lines + beside.split("\n").length - 1;
    if (all <= MAX_LINES && text.length + beside.length <= MAX_CHARACTERS) return text;
    const size = lines > 1 ? plural(lines, "line") : plural(text.length, "character");
    const [first = ""] = text.trim().slice(0, 100).split("\n");
    const start = truncateWidth(visibleLine(first.replaceAll(/[[\]…]/g, "")), 30);
    for (let count = 1; ; count++) {
      const label = `[${start.replace(/…$/, "").trimEnd()} … ${size}${count > 1 ? `, text ${count}` : ""}]`;
      const known = this.#folded.get(label) ?? text;
      if (known !== text) continue;
      this.#folded.set(label, text);
      return label;
    }
  }

  #unfold(line: string): string {
    let text = line;
    for (const [label, full] of this.#folded) text = text.replaceAll(label, () => full);
    return text;
  }

  /** The candidates for `node:readline`, or a list when the next letter is open. */
  #complete(before: string, completion: Completion | undefined): [string[], string] {
    const { from = before.length, candidates = [] } = completion ?? {};
    const typed = before.slice(from);
    const values = candidates.map(({ value }) => value);
    const [only = ""] = values;
    if (values.length === 1) return [[only.endsWith("/") ? only : `${only} `], typed];
    const next = new Set(values.map((value) => value.slice(0, typed.length + 1)));
    if (next.size < 2) return [values, typed];
    this.#showAbove(candidateLines(candidates, this.#terminal.output));
    return [[], typed];
  }

  /** Shows lines where the prompt is, and the prompt below them. */
  #showAbove(lines: readonly string[]): void {
    const { output } = this.#terminal;
    const { columns = 80 } = output;
    const { rows = 0 } = this.#line?.getCursorPos() ?? {};
    moveCursor(output, 0, -rows);
    cursorTo(output, 0);
    clearScreenDown(output);
    const shown = lines.map((text) => this.#options.dim(truncateWidth(text, columns - 1)));
    // The line is drawn again as many rows further up.
    output.write(`${shown.join("\r\n")}\r\n${"\r\n".repeat(rows)}`);
    this.#line?.prompt(true);
  }
}

// oxlint-disable-next-line no-control-regex -- all that a terminal would obey, but newlines and tabs
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// oxlint-disable-next-line no-control-regex -- what keys that type nothing send
const KEY_SEQUENCES = /\u001B(?:\[[\d;?]*[ -/]*[@-~]|O.|.)?/g;

/** The text that keys would have typed. */
function withoutKeys(keys: string): string {
  let text = "";
  for (const character of keys.replaceAll(KEY_SEQUENCES, "").replaceAll("\r", "\n")) {
    if (character === "\u007F" || character === "\b") text = text.replace(/[^]$/u, "");
    else if (character === "\u0015") text = text.replace(/.*$/, "");
    else text += character;
  }
  return text.trim();
}

/** How much of the marker the text ends with; Escape alone is a key. */
function partialLength(text: string, marker: string): number {
  for (let length = marker.length - 1; length > 1; length--) {
    if (text.endsWith(marker.slice(0, length))) return length;
  }
  return 0;
}

function candidateLines(
  candidates: readonly Candidate[],
  { columns = 80, rows = 24 }: Terminal["output"],
): string[] {
  const shown = candidates.slice(0, Math.max(1, Math.min(MAX_CANDIDATES, rows - 4)));
  const widths = shown.map(({ value }) => displayWidth(visibleLine(value)));
  const width = Math.min(Math.max(...widths), Math.floor(columns / 2));
  const lines = shown.map(({ value, description = "" }) => {
    const name = truncateWidth(visibleLine(value), width);
    const padding = " ".repeat(width - displayWidth(name));
    return `  ${name}${padding}  ${visibleLine(description)}`.trimEnd();
  });
  const more = candidates.length - shown.length;
  return more > 0 ? [...lines, `  … ${more} more`] : lines;
}
