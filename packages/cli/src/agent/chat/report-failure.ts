import { visibleLines } from "@skillwright/core/internal";
import type { Console } from "../../console.ts";
import type { AppFailure } from "@skillwright/app";

/** Like the end of any command, but the conversation goes on. */
export function reportFailure(failure: AppFailure, console: Console): void {
  const { message, hint, code } = failure;
  if (console.json) console.printJson({ error: { code, message, hint } });
  const { red, bold } = console.noteColors;
  console.note(`${red(bold("error"))}: ${indented(message)}`);
  if (hint !== undefined) console.note(`${bold("hint")}: ${indented(hint)}`);
}

function indented(text: string): string {
  return visibleLines(text).replaceAll("\n", "\n  ");
}
