import { canonicalJson } from "@skillwright/core/internal";
import type { JsonValue } from "../frozen-json.ts";
import { cutMiddle, type Shown } from "./show-lines.ts";
import { visibleLine } from "./visible-text.ts";

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;
const MAX_CHARACTERS = 8000;
const MAX_ITEMS = 50;

/** Every argument, quoted where its ends or characters could be mistaken. */
export function showCommand(command: readonly string[]): Shown {
  return bounded(command.map(showText).join(" "));
}

export function showInput(input: JsonValue): Shown {
  return bounded(visibleLine(canonicalJson(input)));
}

export function showList(values: readonly string[]): Shown {
  const shown = values.slice(0, MAX_ITEMS).map(showText);
  const left = values.length - shown.length;
  if (left > 0) shown.push(`… and ${left} more`);
  const { text, isCut } = bounded(shown.join(", "));
  return { text, isCut: isCut || left > 0 };
}

/** A name or path; quoted when it is not plain. */
export function showText(text: string): string {
  return PLAIN.test(text) ? text : visibleLine(JSON.stringify(text));
}

function bounded(text: string): Shown {
  return { text: cutMiddle(text, MAX_CHARACTERS), isCut: text.length > MAX_CHARACTERS };
}
