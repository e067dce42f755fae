import type { ApprovalRequest } from "@skillwright/runtime";
import { approvalSource, approvalText } from "@skillwright/runtime/internal";
import type { Asking } from "../terminal/asking.ts";
import { breakApproval } from "../terminal/break-approval.ts";

type Screen = Pick<Asking, "streams" | "screenSize">;

/**
 * What a person approves, for stderr: on a terminal no line is left for that to break. With the source of
 * its script where that is given.
 */
export function shownApproval(
  request: ApprovalRequest,
  { streams, screenSize }: Screen,
  source?: string,
): string {
  const text = source === undefined ? approvalText(request) : approvalSource(request, source);
  return streams.stderr.isTTY === true ? breakApproval(text, screenSize.columns) : text;
}
