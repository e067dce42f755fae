import type { Diagnostic } from "@skillwright/core";
import { type RuleSettings, quoteLine } from "@skillwright/core/internal";
import type { CaseOrigin, EvalCase } from "../cases/eval-case.ts";
import type { EvalResults } from "../results/eval-results.ts";
import type { EvalRuleCode } from "./eval-rules.ts";

export interface LintCasesOptions {
  readonly cases: readonly EvalCase[];
  /** Every skill that the model would see. */
  readonly catalog: readonly CatalogSkill[];
  /** Of an eval with several arms: then checks that tell nothing are found. */
  readonly results?: EvalResults;
  readonly claim?: EvalClaim;
  readonly rules?: RuleSettings;
}

export interface CatalogSkill {
  readonly name: string;
  readonly description: string;
}

/** What the cases are to show. */
export interface EvalClaim {
  /** That so large a share of requests goes well; 0.8 unless told. */
  readonly passRate?: number;
}

/** In the shape of all our diagnostics. */
export type EvalDiagnostic = Pick<
  Diagnostic,
  "severity" | "message" | "file" | "line" | "column" | "hint"
> & { readonly code: EvalRuleCode };

export interface Finding {
  readonly code: EvalRuleCode;
  readonly message: string;
  readonly origin: CaseOrigin;
  readonly hint?: string;
}

export type Check = (options: LintCasesOptions) => readonly Finding[];

/** Enough of a request to find it again. */
export function quoted(text: string): string {
  return `"${quoteLine(text, 60)}"`;
}
