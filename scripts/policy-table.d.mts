import type { parseToolRules } from "@skillwright/core";
import type { DEFAULT_POLICY } from "@skillwright/runtime";
import type { decide, Decision } from "@skillwright/runtime/internal";

interface Policy {
  readonly decide: typeof decide;
  readonly DEFAULT_POLICY: typeof DEFAULT_POLICY;
  readonly parseToolRules: typeof parseToolRules;
}

/** The rows of docs/permissions.md, decided by this version. */
export function policyTable(
  policy: Policy,
): readonly { situation: string; decision: Decision; reason: string }[];
