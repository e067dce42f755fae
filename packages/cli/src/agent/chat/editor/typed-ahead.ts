import { chordOf, typeAhead } from "./apply-key.ts";
import { EMPTY_BUFFER } from "./edit-buffer.ts";
import { type KeyPress, keyPressOf } from "./key-press.ts";
import { type EditorTerminal, readKeys } from "./line-editor.ts";

const ENDS_PROCESS = 3;

/**
 * Collects typing while no question is open. What is typed is not shown and goes into the next
 * line; it never reaches a question that comes up meanwhile, so that no approval is given blindly.
 */
export class TypedAhead {
  readonly #input: EditorTerminal["input"];
  readonly #onInterrupt: () => void;
  #buffer = EMPTY_BUFFER;
  #interrupts = 0;
  readonly #onKey = (text: string | undefined, key: KeyPress | undefined) =>
    this.#press(keyPressOf(text, key));

  constructor(input: EditorTerminal["input"], onInterrupt: () => void) {
    this.#input = input;
    this.#onInterrupt = onInterrupt;
  }

  /** Also after a pause. */
  start(): void {
    readKeys(this.#input);
    this.#input.setRawMode?.(true);
    this.#input.on("keypress", this.#onKey);
    this.#input.resume();
  }

  pause(): void {
    this.#input.off("keypress", this.#onKey);
    this.#input.pause();
    this.#input.setRawMode?.(false);
  }

  /** What was typed; nothing of it was sent. */
  end(): string {
    this.pause();
    const { text } = this.#buffer;
    this.#buffer = EMPTY_BUFFER;
    this.#interrupts = 0;
    return text.trim();
  }

  #press(key: KeyPress): void {
    const chord = chordOf(key);
    if (chord === "ctrl+c") this.#interrupt();
    else this.#buffer = typeAhead(this.#buffer, key);
  }

  #interrupt(): void {
    this.#interrupts++;
    // The third one may end the process, and is then left to the terminal, which must not stay raw.
    if (this.#interrupts >= ENDS_PROCESS) this.pause();
    this.#onInterrupt();
  }
}
