import type { Redactor } from "./redactor.ts";

/** How `OutputCapture` says that the middle of an output was left out. */
const CUT = /\n\[… (\d+) bytes left out …\]\n/;
const KEY_ENDS =
  /^(?:(?!-----BEGIN)[^])*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^\S\n]*\n?/;
/** Longer than the secrets that people and services use. */
const MIN_WINDOW = 1024;

/**
 * Takes secrets out of an output whose middle may be left out. A secret that the cut parted is no
 * longer known by its looks, so the lines that the cut parted go too.
 */
export function redactCutOutput(text: string, { redactText, rules }: Redactor): string {
  const [first = "", ...rest] = text.split(CUT);
  if (rest.length === 0) return redactText(text);
  const window = Math.max(MIN_WINDOW, rules.longestValue);
  let whole = withoutEnd(first, window);
  let left = bytesOf(first) - bytesOf(whole);
  let result = redactText(whole);
  // In turns: how many bytes a cut left out, and what stands behind it.
  for (let i = 0; i < rest.length; i += 2) {
    const [count, part = ""] = rest.slice(i, i + 2);
    const begun = withoutStart(part, window);
    whole = i + 2 < rest.length ? withoutEnd(begun, window) : begun;
    left += Number(count) + bytesOf(part) - bytesOf(begun);
    const end = result === "" || result.endsWith("\n") ? "" : "\n";
    result += `${end}[… ${left} bytes left out …]\n${redactText(whole)}`;
    left = bytesOf(begun) - bytesOf(whole);
  }
  return result;
}

/** Without the line that the cut parted; of a long one, without as much as a secret may have. */
function withoutEnd(text: string, window: number): string {
  return text.slice(0, Math.max(text.lastIndexOf("\n") + 1, text.length - window, 0));
}

function withoutStart(text: string, window: number): string {
  const line = text.indexOf("\n") + 1;
  return text.slice(line > 0 ? Math.min(line, window) : window).replace(KEY_ENDS, "");
}

const bytesOf = (text: string): number => Buffer.byteLength(text);
