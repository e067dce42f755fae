import type { ScanFinding } from "../scan/scan-finding.ts";

export type ChangeStatus =
  | "installed"
  /** Other content stood there, and is in the backup. */
  | "replaced"
  | "updated"
  /** Updated with local edits kept. */
  | "merged"
  | "restored"
  | "linked"
  | "removed"
  | "unchanged";

/** One skill of a change, as `--json` prints it. */
export interface ReportedSkill {
  readonly name: string;
  /** Of what stands there afterwards; of what stood there for one that was removed. */
  readonly digest: string;
  /** Relative to the base, with `/`. */
  readonly path: string;
  readonly status: ChangeStatus;
  readonly files?: FileChanges;
  readonly findings?: readonly ScanFinding[];
}

export interface FileChanges {
  readonly added: readonly string[];
  readonly modified: readonly string[];
  readonly removed: readonly string[];
  /** Whose executable bit changes, which no digest tells; absent when there are none. */
  readonly modes?: readonly string[];
  /** Local edits that stay. */
  readonly kept?: readonly string[];
}

/** Something a person should know that refused nothing. */
export interface ReportedProblem {
  readonly code: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly skill?: string;
  readonly file?: string;
  readonly line?: number;
  readonly hint?: string;
}

export interface ChangeReport {
  readonly ok: true;
  /** Whether anything was changed, or would be. */
  readonly changed: boolean;
  readonly dryRun: boolean;
  /** Names the change to `undo`. */
  readonly id?: string;
  readonly skills: readonly ReportedSkill[];
  readonly problems: readonly ReportedProblem[];
  readonly notes: readonly string[];
}
