import { type ApprovalRequest, approvalText } from "@skillwright/runtime";
import type { Console } from "../console.ts";
import { breakApproval } from "../terminal/break-approval.ts";

/** What a person approves, for stderr: on a terminal no line is left for that to break. */
export function shownApproval(
  request: ApprovalRequest,
  { streams, screenSize }: Pick<Console, "streams" | "screenSize">,
): string {
  const text = approvalText(request);
  return streams.stderr.isTTY === true ? breakApproval(text, screenSize.columns) : text;
}
