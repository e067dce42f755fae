import type { TriggerSummary } from "@skillwright/evals";

/** The same requests with more skills in the catalog. */
export interface StressedTrigger {
  readonly added: number;
  readonly trigger: TriggerSummary;
  /** Cases that were right, and are not with so many skills. */
  readonly lost: readonly { readonly caseId: string; readonly skills: readonly string[] }[];
}
