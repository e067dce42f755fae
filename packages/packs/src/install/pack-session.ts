import { oneOf, type OptionKinds } from "@skillwright/core/internal";
import type { OnStep } from "../change/change-step.ts";
import type { FetchOptions } from "../fetched-pack.ts";
import type { InstallScope } from "../install-scope.ts";
import type { ScanSeverity } from "../scan/scan-finding.ts";
import type { Suppression } from "../scan/suppressions.ts";

/** What every command on installed skills needs. Side effects come in here. */
export interface PackSession extends Pick<
  FetchOptions,
  "limits" | "env" | "fetch" | "signal" | "onProgress"
> {
  readonly scope: InstallScope;
  /** What relative sources are relative to. */
  readonly cwd: string;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  readonly ids?: () => string;
  /** Where the user's keys and decisions are. */
  readonly stateDirectory?: string;
  /** Called once when another process is changing the root. */
  readonly onWait?: (pid: number | undefined) => void;
  /** Only tells what would be done; nothing is written but below the system's temporary folder. */
  readonly dryRun?: boolean;
  /** For tests of what happens when it all ends in the middle. */
  readonly onStep?: OnStep;
}

/** What has to hold of skills before they are put in place. */
export interface Acceptance {
  /**
   * Findings of the scan from this severity on refuse; the others are reported. `high` and `critical` look at
   * what the author means, `low` and `medium` also at what the code can do. Default: high.
   */
  readonly failOn?: ScanSeverity | "never";
  /** Findings that a person accepted, which then neither refuse nor count; they are reported with the reason. */
  readonly suppressions?: readonly Suppression[];
  /** Keys as `readTrustedKeys` takes them. When there are any, a signed pack must be signed by one. */
  readonly trustedKeys?: readonly string[];
  /** Refuse what is not signed with a trusted key. */
  readonly requireSignature?: boolean;
  /** Keys whose signatures no longer count, as `readTrustedKeys` takes them. */
  readonly revokedKeys?: readonly string[];
  /** Take a pack although somebody else signed it than the last time, or nobody. */
  readonly acceptSigner?: boolean;
}

export const SESSION: OptionKinds<PackSession> = {
  limits: "object",
  env: "object",
  fetch: "function",
  signal: "object",
  onProgress: "function",
  scope: "object",
  cwd: "string",
  clock: "function",
  ids: "function",
  stateDirectory: "string",
  onWait: "function",
  dryRun: "boolean",
  onStep: "function",
};

export const ACCEPTANCE: OptionKinds<Acceptance> = {
  failOn: oneOf("low", "medium", "high", "critical", "never"),
  suppressions: "list",
  trustedKeys: "strings",
  revokedKeys: "strings",
  requireSignature: "boolean",
  acceptSigner: "boolean",
};
