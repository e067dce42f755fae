const REDACTED = "[redacted]";

/**
 * Whether two requests are one. What was a secret where one of them was kept may be none here: what was taken out
 * stands for anything.
 */
export function isSameRequest(first: string, second: string): boolean {
  return first === second || fits(first, second) || fits(second, first);
}

function fits(pattern: string, text: string): boolean {
  const [head = "", ...rest] = pattern.split(REDACTED);
  const tail = rest.pop();
  if (tail === undefined || !text.startsWith(head)) return false;
  let at = head.length;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - tail.length >= at && text.endsWith(tail);
}
