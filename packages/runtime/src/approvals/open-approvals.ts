import { type KeyObject, randomUUID } from "node:crypto";
import { dirname, join } from "node:path";
import { KeyFileError, openKeyFile } from "../key-file.ts";
import { ApprovalError, type Approvals } from "./approval.ts";
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
  const key = openKey(join(stateDirectory, "approvals", "key"));
  const approvals = new RunApprovals({ stateDirectory, runId, terminalOnly, clock, ids, key });
  for (const approval of recorded) approvals.restore(approval);
  return approvals;
}

function openKey(file: string): KeyObject {
  try {
    return openKeyFile(file);
  } catch (cause) {
    const { message } = cause as Error;
    if (cause instanceof KeyFileError) {
      throw new ApprovalError(
        "approval-key-unusable",
        `the key ${file} cannot be used: ${message}`,
        {
          cause,
          hint: `Give it back to its owner with mode 0600. Without it, remove ${dirname(file)}: everything is then asked again.`,
        },
      );
    }
    throw new ApprovalError("approval-unwritable", `cannot make the key ${file}: ${message}`, {
      cause,
      hint: "Without a key nothing can be approved. Make the state directory writable.",
    });
  }
}
