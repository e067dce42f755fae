import type { CaseProblem } from "../case-problem.ts";

/** What lies at a path. */
export interface FoundCaseFiles {
  /** In one order, each once. */
  readonly files: readonly FoundCaseFile[];
  /** What could not be looked at. */
  readonly problems: readonly CaseProblem[];
}

export interface FoundCaseFile {
  /** Absolute. */
  readonly path: string;
  readonly kind: FoundKind;
}

/**
 * - `cases`: by its name or place it holds cases; one that is something else is an error.
 * - `data`: it may be cases, and is read as such if it is; else there is a warning.
 * - `material`: what cases need; it is not read, and there is a warning if it holds cases that nobody uses.
 */
export type FoundKind = "cases" | "data" | "material";

const DATA = /\.(?:json|ya?ml)$/i;
/** Names under which cases are kept beside other things. */
const CASES =
  /^(?:evals?|cases|queries|routing|eval[-_](?:queries|set|cases)|.*triggers?(?:[-_].*)?|.*\.(?:evals?|cases))\.(?:json|ya?ml)$/i;
/** What tools call what they write there. Cases may be called so too: see `isResult`. */
const RESULTS =
  /(?:^|[-_.])(?:results?|report|history|benchmark|grading|metadata|summary|baseline|feedback|schema|timing)\.[^.]+$/i;

export function isDataName(name: string): boolean {
  return DATA.test(name);
}

export function isCasesName(name: string): boolean {
  return CASES.test(name);
}

export function isResultName(name: string): boolean {
  return RESULTS.test(name);
}
