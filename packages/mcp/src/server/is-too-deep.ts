const MAX_DEPTH = 256;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether JSON is nested so deeply that code which looks into it step by step could fail. Takes any text,
 * in one pass.
 */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInside = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInside) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) isInside = false;
      continue;
    }
    if (code === QUOTE) isInside = true;
    // Brackets and braces are the only two pairs that differ in this bit alone.
    else if ((code | 0x20) === 0x7b) depth++;
    else if ((code | 0x20) === 0x7d) depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}
