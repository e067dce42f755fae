import { realpathSync } from "node:fs";
import { join } from "node:path";
import type { ScriptExecutor } from "@skillwright/core";
import { ClientApprover } from "@skillwright/mcp";
import {
  type Audit,
  type Approver,
  chainApprovers,
  createFlagApprover,
  createRedactor,
  policySettings,
} from "@skillwright/runtime";
import { Gate, decide, openApprovals, openAudit } from "@skillwright/runtime/internal";
import {
  type ComposedRuntime,
  composeRuntime,
  noteRuleProblems,
  openSecrets,
  type RuntimeContext,
} from "../runtime/compose-runtime.ts";
import { CALL_RECORD, callsDirectory, newCallId, removeOldCalls } from "../runtime/calls.ts";
import { executionOptions } from "../runtime/execution-options.ts";
import { asAppFailure } from "../failure.ts";
import { SandboxCheck } from "../runtime/sandbox-check.ts";
import { namedTools } from "../runtime/session-approver.ts";

export interface ServeRuntime {
  readonly audit: Audit;
  readonly gate: Gate;
  /** Puts questions to the client whose call is under way. */
  readonly approver: ClientApprover;
  /** Undefined where no script may run. */
  readonly executor?: ScriptExecutor;
  readonly close: () => Promise<void>;
}

interface ServeContext extends RuntimeContext {
  readonly options: RuntimeContext["options"] & {
    /** False: no script is offered. */
    readonly scripts?: boolean;
  };
}

/** What clients may do: under the policy of this command line, all of a serving in one record. */
export async function openServeRuntime(context: ServeContext): Promise<ServeRuntime> {
  const { session, options, host } = context;
  const { configuration, stateDirectory, project, home } = session;
  const { terminalOnly } = configuration.values.approvals;
  const named = namedTools(options);
  // What is wrong with the options is said before anything is written.
  executionOptions(session, options, host.cwd);
  noteRuleProblems(session, host);
  if (terminalOnly && named.length > 0) {
    host.note("note: --yes does not count, since approvals.terminalOnly is on");
  }
  const client = new ClientApprover();
  const flags = named.length > 0 && !terminalOnly ? [createFlagApprover(named)] : [];
  const approver: Approver = chainApprovers([...flags, client]);
  const runId = newCallId();
  const directory = join(callsDirectory(stateDirectory), runId);
  await removeOldCalls(stateDirectory, configuration.values);
  const approvals = await client.approvals((principal) =>
    openApprovals({ stateDirectory, runId, terminalOnly, ...(principal && { principal }) }),
  );
  const redactor = createRedactor({ env: host.env });
  const file = join(directory, CALL_RECORD);
  const audit = client.recording(openAudit({ file, stateDirectory, redactor }));
  const activeSkills = () => [];
  const settings = policySettings(configuration.values);
  const places = {
    workingDirectory: realpathSync(host.cwd),
    project: realpathSync(project),
    home,
  };
  const secrets = openSecrets(host, audit);
  const scope = { audit, approvals, approver, activeSkills, secrets };
  const gate = new Gate({ settings, places, ...scope });
  const request = { tool: "run_script", input: {}, settings, places, activeSkills: [] };
  const isOffered = options.scripts !== false && decide(request).decision !== "deny";
  if (!isOffered) return { audit, gate, approver: client, close: async () => audit.close() };
  const runtime = composeRuntime(context, { ...scope, directory });
  const executor = confinedExecutor(runtime, new SandboxCheck(host));
  const close = async () => {
    await audit.close();
    await runtime.close();
  };
  return { audit, gate, approver: client, executor, close };
}

/** Nobody is asked about a script that could not be held. */
function confinedExecutor(runtime: ComposedRuntime, sandbox: SandboxCheck): ScriptExecutor {
  const { executor } = runtime;
  return {
    canRun: (path) => executor.canRun(path),
    async run(request, context) {
      try {
        await sandbox.require(runtime);
        return await executor.run(request, context);
      } catch (error) {
        const { message, hint } = asAppFailure(error);
        return { ok: false, text: hint === undefined ? message : `${message}\n${hint}` };
      }
    },
  };
}
