import { canonicalJson, type JsonValue } from "../canonical-json.ts";
import type { Shown } from "./show-lines.ts";
import { visibleLine } from "./visible-text.ts";

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/;
const MAX_HEAD = 6000;
const MAX_TAIL = 2000;
const MAX_ITEMS = 50;

/** Every argument, quoted where its ends or characters could be mistaken. */
export function showCommand(command: readonly string[]): Shown {
  return cutMiddle(command.map(showText).join(" "));
}

export function showInput(input: JsonValue): Shown {
  return cutMiddle(visibleLine(canonicalJson(input)));
}

export function showList(values: readonly string[]): Shown {
  const shown = values.slice(0, MAX_ITEMS).map(showText);
  const left = values.length - shown.length;
  if (left > 0) shown.push(`… and ${left} more`);
  const { text, isCut } = cutMiddle(shown.join(", "));
  return { text, isCut: isCut || left > 0 };
}

/** A name or path; quoted when it is not plain. */
export function showText(text: string): string {
  return PLAIN.test(text) ? text : visibleLine(JSON.stringify(text));
}

/** Both ends stay: what is dangerous may stand at either. */
function cutMiddle(text: string): Shown {
  if (text.length <= MAX_HEAD + MAX_TAIL) return { text, isCut: false };
  const left = text.length - MAX_HEAD - MAX_TAIL;
  const note = ` … (${left} characters are not shown) … `;
  return { text: text.slice(0, MAX_HEAD) + note + text.slice(-MAX_TAIL), isCut: true };
}
