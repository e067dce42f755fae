import { canonicalJson } from "../canonical-json.ts";
import type { ApprovalCall } from "./approval-call.ts";
import { exactSubject } from "./approval-subject.ts";
import { type RequestFacts, requestFacts } from "./request-facts.ts";

/**
 * Whether a call is the one that a request is for. To be asked last before the call is carried out:
 * hooks and tools may have changed it since it was approved.
 */
export function matchesCall(request: RequestFacts, call: ApprovalCall): boolean {
  try {
    const actual = canonicalJson(exactSubject(requestFacts(call)));
    return actual === canonicalJson(exactSubject(request));
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
