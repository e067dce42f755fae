import type { KeyObject } from "node:crypto";
import { canonicalJson } from "@skillwright/core/internal";
import type { ApprovalCall } from "./approval-call.ts";
import { exactSubject } from "./approval-subject.ts";
import { type RequestFacts, requestFacts } from "./request-facts.ts";

/** Held here so that no request carries the key itself. */
const keys = new WeakMap<RequestFacts, KeyObject>();

export function rememberKey(request: RequestFacts, key: KeyObject): void {
  keys.set(request, key);
}

/**
 * Whether a call is the one that a request is for. Check this last, right before the call is carried
 * out: hooks and tools may have changed it since it was approved. Takes the request that
 * `Approvals.request` returned; a copy never matches.
 */
export function matchesCall(request: RequestFacts, call: ApprovalCall): boolean {
  const key = keys.get(request);
  if (key === undefined) return false;
  try {
    const actual = canonicalJson(exactSubject(requestFacts(call, key)));
    return actual === canonicalJson(exactSubject(request));
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
