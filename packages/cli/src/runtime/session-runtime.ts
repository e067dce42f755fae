import { join } from "node:path";
import type { Skills } from "@skillwright/core";
import { createRedactor } from "@skillwright/runtime";
import { openApprovals, openAudit } from "@skillwright/runtime/internal";
import type { Console } from "../console.ts";
import { withMcp } from "../mcp/host/with-mcp.ts";
import type { Session } from "@skillwright/app/internal";
import {
  type ComposedRuntime,
  composeRuntime,
  noteRuleProblems,
  openSecrets,
} from "./compose-runtime.ts";
import { CALL_RECORD, callsDirectory, newCallId, removeOldCalls } from "./calls.ts";
import { executionOptions, type RuntimeOptions } from "./execution-options.ts";
import { callAgain, SessionApprover, type Unapproved } from "./session-approver.ts";

export interface SessionRuntime extends ComposedRuntime {
  /** The call that was not approved, because nobody was there or somebody refused. */
  readonly unapproved: () => Unapproved | undefined;
}

/** For calls of tools by hand: each command line has a record of its own in the user's state. */
export async function openSessionRuntime(
  session: Session,
  skills: Skills,
  options: RuntimeOptions,
  console: Console,
): Promise<SessionRuntime> {
  const { configuration, stateDirectory } = session;
  const { terminalOnly } = configuration.values.approvals;
  const runId = newCallId();
  const nobodyThere = callAgain(runId);
  const approver = new SessionApprover(options, console, { terminalOnly, nobodyThere });
  const directory = join(callsDirectory(stateDirectory), runId);
  // What is wrong with the options is said before anything is written.
  executionOptions(session, options, console.cwd);
  noteRuleProblems(session, console);
  await removeOldCalls(stateDirectory, configuration.values);
  const approvals = await openApprovals({ stateDirectory, runId, terminalOnly });
  const redactor = createRedactor({ env: console.env });
  const audit = openAudit({ file: join(directory, CALL_RECORD), stateDirectory, redactor });
  const secrets = openSecrets(console, audit);
  const scope = { audit, approvals, approver, activeSkills: () => [], directory, secrets };
  const context = { session, skills, options, console };
  const runtime = await withMcp(composeRuntime(context, scope), context, scope);
  return {
    ...runtime,
    unapproved: () => approver.unapproved,
    close: async () => {
      audit.close();
      await runtime.close();
    },
  };
}
