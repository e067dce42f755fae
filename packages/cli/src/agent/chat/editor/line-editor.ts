import { emitKeypressEvents, type Interface } from "node:readline";
import type { Readable } from "node:stream";
import { truncateWidth } from "@skillwright/core/internal";
import { typeAhead } from "./apply-key.ts";
import { EMPTY_BUFFER, MAX_INPUT } from "./edit-buffer.ts";
import { type KeyPress, keyPressOf } from "./key-press.ts";
import { type InputLayout, layoutInput } from "./layout-input.ts";
import { menuLines } from "./menu.ts";
import { type LineHelp, type LineState, newLine, pressKey, type ReadLine } from "./press-key.ts";
import { ScreenFrame } from "./screen-frame.ts";

export interface EditorTerminal {
  readonly input: Readable & { setRawMode?(isRaw: boolean): unknown };
  readonly output: NodeJS.EventEmitter & {
    write(text: string): unknown;
    readonly columns?: number;
    readonly rows?: number;
  };
}

interface LineEditorOptions extends LineHelp {
  readonly prompt: string;
  readonly paint: Paint;
}

interface Paint {
  readonly prompt: (text: string) => string;
  readonly chosen: (text: string) => string;
  readonly other: (text: string) => string;
}

const BRACKETED_PASTE_ON = "\u001B[?2004h";
const BRACKETED_PASTE_OFF = "\u001B[?2004l";
/** The terminal is put right before they end the chat. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const ESCAPE_TIMEOUT_MS = 50;
const MAX_MENU_ROWS = 16;
const LEAVING = "  Ctrl-C once more leaves";
const CUT = `  cut at ${MAX_INPUT} characters; /file gives a whole file`;

/** Keys of a terminal as events. */
export function readKeys(input: Readable): void {
  emitKeypressEvents(input, { escapeCodeTimeout: ESCAPE_TIMEOUT_MS } as unknown as Interface);
}

/**
 * Reads one text at a terminal, which is in raw mode until then. Node's own line editor knows keys,
 * but no text of several lines, no pasted newline, and no list with descriptions.
 */
export class LineEditor {
  readonly #terminal: EditorTerminal;
  readonly #options: LineEditorOptions;
  readonly #frame: ScreenFrame;
  #state = newLine("");
  /** What came in one go with the return before: it is for the next line, and not sent. */
  #left = EMPTY_BUFFER;
  #done: ((result: ReadLine) => void) | undefined;

  constructor(terminal: EditorTerminal, options: LineEditorOptions) {
    this.#terminal = terminal;
    this.#options = options;
    this.#frame = new ScreenFrame(terminal.output);
  }

  async read(begun = ""): Promise<ReadLine> {
    const { input, output } = this.#terminal;
    this.#state = newLine(this.#left.text + begun);
    this.#left = EMPTY_BUFFER;
    const redraw = () => this.#draw();
    const onKey = (text: string | undefined, key: KeyPress | undefined) =>
      this.#press(keyPressOf(text, key));
    const onEnd = () => this.#finish({ kind: "end" });
    const onSignal = () => this.#finish({ kind: "interrupt" });
    readKeys(input);
    this.#takeKeyboard();
    const result = await new Promise<ReadLine>((done) => {
      this.#done = done;
      // A terminal that is gone reads as an error.
      input.on("keypress", onKey).on("end", onEnd).on("error", onEnd);
      for (const name of SIGNALS) process.on(name, onSignal);
      output.on("resize", redraw);
      this.#draw();
      input.resume();
    });
    input.off("keypress", onKey).off("end", onEnd).off("error", onEnd);
    for (const name of SIGNALS) process.off(name, onSignal);
    output.off("resize", redraw);
    input.pause();
    this.#leaveKeyboard();
    return result;
  }

  #press(key: KeyPress): void {
    if (this.#done === undefined) {
      this.#left = typeAhead(this.#left, key);
      return;
    }
    const { state, result, act } = pressKey(this.#state, key, this.#options);
    this.#state = state;
    if (result !== undefined) return this.#finish(result);
    if (act === "suspend") return this.#suspend();
    if (act === "clear-screen") this.#frame.clearScreen();
    if (state.pasted === undefined) this.#draw();
  }

  #finish(result: ReadLine): void {
    const { text } = this.#state.buffer;
    this.#state = newLine(text);
    this.#draw();
    this.#frame.leave();
    const done = this.#done;
    this.#done = undefined;
    done?.(result);
  }

  #takeKeyboard(): void {
    this.#terminal.input.setRawMode?.(true);
    this.#terminal.output.write(BRACKETED_PASTE_ON);
  }

  #leaveKeyboard(): void {
    this.#terminal.output.write(BRACKETED_PASTE_OFF);
    this.#terminal.input.setRawMode?.(false);
  }

  /** As Ctrl-Z does where keys are not read one by one. */
  #suspend(): void {
    if (process.platform === "win32") return;
    this.#frame.clear();
    this.#leaveKeyboard();
    process.once("SIGCONT", () => {
      this.#takeKeyboard();
      this.#draw();
    });
    process.kill(0, "SIGTSTP");
  }

  #draw(): void {
    const { columns = 80, rows = 24 } = this.#terminal.output;
    this.#frame.draw(frameOf(this.#state, { columns, rows }, this.#options));
  }
}

/** The line, and below it what may be chosen. */
function frameOf(
  { buffer, menu, isLeaving, isCut = false }: LineState,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  { prompt, paint }: Pick<LineEditorOptions, "prompt" | "paint">,
): InputLayout {
  // One row stays for what was there before.
  const room = Math.max(1, rows - 1);
  const menuRows = Math.min(MAX_MENU_ROWS, room - 3);
  const hint = isLeaving ? [LEAVING] : isCut ? [CUT] : [];
  const choices = menu === undefined || menuRows < 1 ? [] : [menu];
  const below = [
    ...hint.map((text) => paint.other(truncateWidth(text, columns - 1))),
    ...choices.flatMap((one) => menuLines(one, { columns, rows: menuRows }, paint)),
  ];
  const laid = layoutInput(buffer, { prompt, columns, rows: Math.max(1, room - below.length) });
  const [first = "", ...others] = laid.lines;
  const painted = paint.prompt(first.slice(0, prompt.length)) + first.slice(prompt.length);
  return { ...laid, lines: [painted, ...others, ...below] };
}
