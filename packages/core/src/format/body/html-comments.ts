import type { Span } from "../draft.ts";
import { withoutCode } from "./without-code.ts";

/** Complete HTML comments outside of code, as offsets into the body. */
export function htmlComments(body: string): Span[] {
  if (!body.includes("<!--")) return [];
  const prose = withoutCode(body);
  const comments: Span[] = [];
  let start = prose.indexOf("<!--");
  while (start !== -1) {
    const close = prose.indexOf("-->", start + 4);
    if (close === -1) break;
    comments.push({ start, end: close + 3 });
    start = prose.indexOf("<!--", close + 3);
  }
  return comments;
}
