import type { ScanLine, ScannedSkill } from "./context/scan-line.ts";
import type { ScanRule, ScanSeverity } from "./scan-finding.ts";

/** What a rule says about a line. */
export interface Suspicion {
  readonly message: string;
  /** Default: that of the rule. */
  readonly severity?: ScanSeverity;
  /** On the axis of intent, where that is less than the severity; null: nothing. */
  readonly intent?: ScanSeverity | null;
}

export interface PlacedSuspicion extends Suspicion {
  readonly line: ScanLine;
}

/** A rule and how it looks. Both functions are pure and never throw, whatever the text is. */
export interface ScanCheck extends ScanRule {
  /**
   * Lower-case ASCII, no newline. `look` is called for lines that have one of them; homoglyphs, full-width
   * letters, invisible characters and quotes inside of a word do not hide it.
   */
  readonly words?: readonly string[];
  readonly look?: (line: ScanLine) => Suspicion | undefined;
  /** Called once, after all lines were looked at and all facts are known. */
  readonly conclude?: (skill: ScannedSkill) => Iterable<PlacedSuspicion>;
}

/** Remembers something that is no finding by itself. */
export interface FactCollector {
  readonly words: readonly string[];
  readonly collect: (line: ScanLine) => void;
}

export const SEVERITIES: readonly ScanSeverity[] = ["low", "medium", "high", "critical"];

/**
 * Whether an install refuses a finding. `high` and `critical` ask what the author meant; `low` and `medium`
 * also refuse code that is merely dangerous.
 */
export function isRefused(
  { intent, severity }: { readonly intent?: ScanSeverity; readonly severity: ScanSeverity },
  failOn: ScanSeverity | "never",
): boolean {
  if (failOn === "low" || failOn === "medium") return isAtLeast(severity, failOn);
  return intent !== undefined && isAtLeast(intent, failOn);
}

/** Whether a finding is of this severity or a higher one. */
export function isAtLeast(severity: ScanSeverity, from: ScanSeverity | "never"): boolean {
  return from !== "never" && SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(from);
}
