import type { Decision } from "./decision.ts";

/** What one part of the policy says. */
export interface Verdict {
  readonly decision: Decision;
  readonly reason: string;
  readonly rule?: string;
}
