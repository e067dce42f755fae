import {
  after,
  before,
  type EditBuffer,
  insertText,
  lineEnd,
  lineStart,
  removeBetween,
  wordEnd,
  wordStart,
} from "./edit-buffer.ts";
import { type KeyPress, typedText } from "./key-press.ts";

/** What an editing key makes of the text; undefined for keys that do not edit. */
export function applyKey(buffer: EditBuffer, key: KeyPress): EditBuffer | undefined {
  const typed = typedText(key);
  if (typed !== undefined) return insertText(buffer, typed);
  const { text, cursor } = buffer;
  const to = (place: number): EditBuffer => ({ text, cursor: place });
  const removed = (from: number, until: number) => removeBetween(buffer, from, until);
  switch (chordOf(key)) {
    case "left":
    case "ctrl+b":
      return to(before(buffer));
    case "right":
    case "ctrl+f":
      return to(after(buffer));
    case "ctrl+left":
    case "meta+left":
    case "meta+b":
      return to(wordStart(buffer));
    case "ctrl+right":
    case "meta+right":
    case "meta+f":
      return to(wordEnd(buffer));
    case "home":
    case "ctrl+a":
      return to(lineStart(buffer));
    case "end":
    case "ctrl+e":
      return to(lineEnd(buffer));
    case "backspace":
    case "ctrl+h":
      return removed(before(buffer), cursor);
    case "delete":
    case "ctrl+d":
      return removed(cursor, after(buffer));
    case "ctrl+w":
    case "meta+backspace":
    case "ctrl+backspace":
      return removed(wordStart(buffer), cursor);
    case "meta+d":
      return removeBetween(buffer, cursor, wordEnd(buffer));
    case "ctrl+u":
      return removed(lineStart(buffer), cursor);
    case "ctrl+k":
      return removed(cursor, lineEnd(buffer) === cursor ? after(buffer) : lineEnd(buffer));
    // Ctrl+J, which every terminal can send, and Alt+Return.
    case "enter":
    case "meta+return":
    case "meta+enter":
      return insertText(buffer, "\n");
    default:
      return undefined;
  }
}

/** Applies a key to text that is not sent yet: return is a line break. */
export function typeAhead(buffer: EditBuffer, key: KeyPress): EditBuffer {
  if (chordOf(key) === "return") return insertText(buffer, "\n");
  return applyKey(buffer, key) ?? buffer;
}

/** Such as `ctrl+a`. Shift is left out: no editing key means something else with it. */
export function chordOf({ name = "", ctrl = false, meta = false }: KeyPress): string {
  return `${ctrl ? "ctrl+" : ""}${meta ? "meta+" : ""}${name}`;
}
