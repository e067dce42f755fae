import type { parseToolRules } from "@skillwright/core";
import type { decide, Decision, DEFAULT_POLICY } from "@skillwright/runtime";

interface Policy {
  readonly decide: typeof decide;
  readonly DEFAULT_POLICY: typeof DEFAULT_POLICY;
  readonly parseToolRules: typeof parseToolRules;
}

/** The rows of docs/permissions.md, decided by this version. */
export function policyTable(
  policy: Policy,
): readonly { situation: string; decision: Decision; reason: string }[];
