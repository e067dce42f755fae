import type { Span } from "../draft.ts";
import { fenceAfter, withoutCode } from "./without-code.ts";

/**
 * HTML comments outside of code, as offsets into the body. One that is never closed hides everything
 * after it; a fence inside a comment opens nothing.
 */
export function htmlComments(body: string): Span[] {
  const comments: Span[] = [];
  let fence = "";
  let line = 0;
  while (line < body.length && body.includes("<!--", line)) {
    const newline = body.indexOf("\n", line);
    const end = newline === -1 ? body.length : newline;
    const text = body.slice(line, end);
    const wasOpen = fence !== "";
    fence = fenceAfter(text, fence);
    const start = wasOpen || fence !== "" ? -1 : withoutCode(text).indexOf("<!--");
    if (start === -1) {
      line = end + 1;
      continue;
    }
    const close = body.indexOf("-->", line + start + 4);
    const stop = close === -1 ? body.length : close + 3;
    comments.push({ start: line + start, end: stop });
    line = stop;
  }
  return comments;
}
