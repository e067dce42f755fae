import { randomUUID } from "node:crypto";
import { openApprovalKey } from "./approval-key.ts";
import type { Approvals } from "./approvals.ts";
import { RunApprovals } from "./run-approvals.ts";

export interface OpenApprovalsOptions {
  /** Where the user's key and approvals are; nothing that is approved may write there. */
  readonly stateDirectory: string;
  readonly runId: string;
  /** Approvals from the record of this run, when it is continued. */
  readonly recorded?: readonly unknown[];
  /** Only a person at a terminal may approve: no flag, no host, no printed command. */
  readonly terminalOnly?: boolean;
  /** Milliseconds since 1970. */
  readonly clock?: () => number;
  /** Gives the ids of requests, never one twice, also when the run is continued. */
  readonly ids?: () => string;
}

export async function openApprovals(options: OpenApprovalsOptions): Promise<Approvals> {
  const { stateDirectory, runId, recorded = [], terminalOnly = false } = options;
  const { clock = Date.now, ids = randomUUID } = options;
  const key = openApprovalKey(stateDirectory);
  const approvals = new RunApprovals({ stateDirectory, runId, terminalOnly, clock, ids, key });
  for (const approval of recorded) approvals.restore(approval);
  return approvals;
}
