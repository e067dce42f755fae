export type ScanSeverity = "low" | "medium" | "high" | "critical";

/** Something a person should look at. A finding, not a verdict. */
export interface ScanFinding {
  /** Kebab-case id of the rule. */
  readonly rule: string;
  /** The higher of both axes. */
  readonly severity: ScanSeverity;
  /** How much it says that the author means harm; an install refuses from `high` on. */
  readonly intent?: ScanSeverity;
  /** How much harm the code can do, whatever was meant. */
  readonly danger?: ScanSeverity;
  /** What it is, in one sentence, with the names involved. */
  readonly message: string;
  /** Relative to the skill, with `/`. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
  /** The line it stands on, shortened, with controls made visible and secrets redacted. */
  readonly evidence: string;
  /** Names this finding to a suppression. It is another one as soon as the file is. */
  readonly fingerprint: string;
}

export interface ScanResult {
  /** By severity, then file and line. */
  readonly findings: readonly ScanFinding[];
  /** Findings that a person accepted, with the reason; `findings` is without them. */
  readonly suppressed: readonly (ScanFinding & {
    readonly reason: string;
    readonly suppressedIn: string;
  })[];
  /** Files looked at. */
  readonly files: number;
  /** Files not looked at, with the reason: binary, too large. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
}

/** What `skillwright scan --rules` and the documentation show. */
export interface ScanRule {
  readonly id: string;
  readonly severity: ScanSeverity;
  /** The most that it says on each axis, and its names in public taxonomies. */
  readonly intent?: ScanSeverity;
  readonly danger?: ScanSeverity;
  readonly taxonomy?: readonly string[];
  readonly category:
    | "prompt-injection"
    | "hidden-instructions"
    | "exfiltration"
    | "obfuscated-execution"
    | "persistence"
    | "destructive"
    | "privilege"
    | "remote-code"
    | "mismatch";
  readonly summary: string;
  /** Why it matters and what an honest author does instead. */
  readonly explanation: string;
}
