import { join } from "node:path";
import type { Skills } from "@skillwright/core";
import { createRedactor } from "@skillwright/runtime";
import { openApprovals, openAudit } from "@skillwright/runtime/internal";
import { withMcp } from "../mcp/with-mcp.ts";
import { managedOption, type Session } from "../session/session.ts";
import {
  type ComposedRuntime,
  composeRuntime,
  noteRuleProblems,
  openSecrets,
} from "./compose-runtime.ts";
import { CALL_RECORD, callsDirectory, newCallId, removeOldCalls } from "./calls.ts";
import { executionOptions, type RuntimeOptions } from "./execution-options.ts";
import { callAgain, SessionApprover, type Unapproved } from "./session-approver.ts";
import type { AppHost } from "../host.ts";

export interface SessionRuntime extends ComposedRuntime {
  /** The call that was not approved, because nobody was there or somebody refused. */
  readonly unapproved: () => Unapproved | undefined;
}

/** For calls of tools by hand: each command line has a record of its own in the user's state. */
export async function openSessionRuntime(
  session: Session,
  skills: Skills,
  options: RuntimeOptions,
  host: AppHost,
): Promise<SessionRuntime> {
  const { configuration, stateDirectory } = session;
  const { terminalOnly } = configuration.values.approvals;
  const runId = newCallId();
  const nobodyThere = callAgain(runId);
  const terminalOnlyBy = managedOption(session, "approvals.terminalOnly");
  const approver = new SessionApprover(options, host, {
    terminalOnly,
    terminalOnlyBy,
    nobodyThere,
  });
  const directory = join(callsDirectory(stateDirectory), runId);
  // What is wrong with the options is said before anything is written.
  executionOptions(session, options, host.cwd);
  noteRuleProblems(session, host);
  await removeOldCalls(stateDirectory, configuration.values);
  const approvals = await openApprovals({ stateDirectory, runId, terminalOnly });
  const redactor = createRedactor({ env: host.env });
  const audit = openAudit({ file: join(directory, CALL_RECORD), stateDirectory, redactor });
  const secrets = openSecrets(host, audit);
  const scope = { audit, approvals, approver, activeSkills: () => [], directory, secrets };
  const context = { session, skills, options, host };
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
