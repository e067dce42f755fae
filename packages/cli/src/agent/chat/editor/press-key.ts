import { applyKey, chordOf } from "./apply-key.ts";
import type { Complete } from "./completion.ts";
import {
  bufferOf,
  type EditBuffer,
  EMPTY_BUFFER,
  insertText,
  MAX_INPUT,
  otherLine,
} from "./edit-buffer.ts";
import type { KeyPress } from "./key-press.ts";
import { type Menu, nextInMenu, openMenu } from "./menu.ts";

/** A line while it is typed, as plain data. */
export interface LineState {
  readonly buffer: EditBuffer;
  readonly menu?: Menu | undefined;
  /** Something was pasted that is too long as a whole. */
  readonly isCut?: boolean;
  /** Ctrl-C was the last key. */
  readonly isLeaving: boolean;
  /** What is being pasted; it is one text, whatever keys are in it. */
  readonly pasted?: string | undefined;
  /** The entry of the history that is shown; what was typed before is the draft. */
  readonly recalled?: { readonly place: number; readonly draft: EditBuffer } | undefined;
}

export interface LineHelp {
  /** The oldest first. */
  readonly history: () => readonly string[];
  readonly complete: Complete;
}

/** A text that was sent; or the person left, with Ctrl-D or with Ctrl-C twice. */
export type ReadLine =
  | { readonly kind: "line"; readonly text: string }
  | { readonly kind: "end" }
  | { readonly kind: "interrupt" };

export interface Pressed {
  readonly state: LineState;
  /** The line is over. */
  readonly result?: ReadLine;
  /** What the key asks of the terminal. */
  readonly act?: "clear-screen" | "suspend";
}

export function newLine(begun: string): LineState {
  return { buffer: bufferOf(begun), isLeaving: false };
}

/** Pure: what a key makes of a line. */
export function pressKey(state: LineState, key: KeyPress, help: LineHelp): Pressed {
  const pasted = paste(state, key);
  if (pasted !== undefined) return { state: pasted };
  const chord = chordOf(key);
  if (chord === "ctrl+c") return interrupt(state);
  if (chord === "tab") return { state: tab(state, key.shift === true ? -1 : 1, help) };
  const { buffer, recalled } = state;
  const plain: LineState = { buffer, recalled, isLeaving: false };
  switch (chord) {
    case "return":
      return sent(plain);
    case "up":
    case "ctrl+p":
      return { state: upOrDown(plain, -1, help) };
    case "down":
    case "ctrl+n":
      return { state: upOrDown(plain, 1, help) };
    case "ctrl+l":
      return { state: plain, act: "clear-screen" };
    case "ctrl+z":
      return { state: plain, act: "suspend" };
    case "ctrl+d":
      if (buffer.text === "") return { state: plain, result: { kind: "end" } };
  }
  return { state: { ...plain, buffer: applyKey(buffer, key) ?? buffer } };
}

function paste(state: LineState, { name, text }: KeyPress): LineState | undefined {
  const { pasted, buffer, recalled } = state;
  if (name === "paste-start") return { ...state, pasted: "" };
  if (pasted === undefined) return undefined;
  if (name !== "paste-end") return { ...state, pasted: pasted + (text ?? "") };
  const added = pastedText(pasted);
  const isCut = buffer.text.length + added.length > MAX_INPUT;
  return { buffer: insertText(buffer, added), recalled, isCut, isLeaving: false };
}

// oxlint-disable-next-line no-control-regex -- all that a terminal would obey, but newlines and tabs
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Terminals send a return for every line break. */
function pastedText(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(CONTROLS, "");
}

function interrupt(state: LineState): Pressed {
  if (state.isLeaving) return { state, result: { kind: "interrupt" } };
  return { state: { buffer: EMPTY_BUFFER, isLeaving: true } };
}

function tab(state: LineState, direction: -1 | 1, { complete }: LineHelp): LineState {
  const { buffer, menu, recalled } = state;
  const completed =
    menu === undefined
      ? openMenu(buffer, complete(buffer.text.slice(0, buffer.cursor)))
      : nextInMenu(buffer, menu, direction);
  return { buffer, ...completed, recalled, isLeaving: false };
}

/** A backslash at the end means that there is more to come. */
function sent(state: LineState): Pressed {
  const { text, cursor } = state.buffer;
  if (text.endsWith("\\") && cursor === text.length) {
    return { state: { ...state, buffer: bufferOf(`${text.slice(0, -1)}\n`) } };
  }
  return { state, result: { kind: "line", text } };
}

/** Within the text first, then through the history. */
function upOrDown(state: LineState, direction: -1 | 1, { history }: LineHelp): LineState {
  const { buffer, recalled } = state;
  const moved = otherLine(buffer, direction);
  if (moved !== undefined) return { ...state, buffer: moved };
  if (recalled === undefined && direction === 1) return state;
  const entries = history();
  const { place, draft } = recalled ?? { place: entries.length, draft: buffer };
  const wanted = place + direction;
  if (wanted < 0) return state;
  const entry = entries[wanted];
  if (entry === undefined) return { ...state, buffer: draft, recalled: undefined };
  return { ...state, buffer: bufferOf(entry), recalled: { place: wanted, draft } };
}
