import { type ApprovalRequest, approvalText } from "@skillwright/runtime";
import type { Console } from "../console.ts";
import { breakApproval } from "../terminal/break-approval.ts";

/** What a person approves, for stderr: on a terminal no line is left for that to break. */
export function shownApproval(
  request: ApprovalRequest,
  { streams, screenSize }: Pick<Console, "streams" | "screenSize">,
): string {
  const text = approvalText(request);
  if (streams.stderr.isTTY !== true) return text;
  return breakApproval(factsLast(text), screenSize.columns);
}

/** A long script would push tool, arguments and sandbox off the screen, above the question. */
function factsLast(text: string): string {
  const lines = text.split("\n");
  const preview = lines.findIndex((line) => PREVIEW.test(line));
  if (preview === -1) return text;
  const cautions = lines.indexOf("Look closely:");
  const end = cautions === -1 ? lines.length : cautions;
  return [...lines.slice(preview, end), ...lines.slice(0, preview), ...lines.slice(end)].join("\n");
}

/** Values of others are on the lines of their labels, or behind a mark. */
const PREVIEW = /^(?:Changes to|First \d+ of|All of) /;
