import { join } from "node:path";
import type { RunPolicy } from "@skillwright/agent";
import type { Failure, SkillTool } from "@skillwright/core";
import type { ApprovalRequest, Approver, Audit, Runtime } from "@skillwright/runtime";
import {
  createDenyApprover,
  hasSandbox,
  isAboutChanges,
  openRunApprovals,
  type Secrets,
} from "@skillwright/runtime/internal";
import { withMcp } from "../mcp/with-mcp.ts";
import { asAppFailure } from "../failure.ts";
import {
  type ComposedRuntime,
  composeRuntime,
  openSecrets,
  type RuntimeContext,
} from "../runtime/compose-runtime.ts";
import { executionOptions, openExecutor } from "../runtime/execution-options.ts";
import { SandboxCheck } from "../runtime/sandbox-check.ts";
import { SessionApprover } from "../runtime/session-approver.ts";
import { managedOption } from "../session/session.ts";
import type { AppFailure } from "../failure.ts";

interface PolicyEnds {
  /** Stops the run, for something that the model cannot do anything about. */
  readonly stop: (problem: AppFailure) => void;
  /** The person who was asked leaves without an answer: the run is to end, and can go on later. */
  readonly onWalkAway: () => void;
  /** Offers `run_command` where there is a sandbox. Default: only what is configured. */
  readonly offersCommands?: boolean;
}

/** What runs of this command line may do: the same as tools that are called by hand. */
export function createSessionPolicy(
  context: RuntimeContext,
  { stop, onWalkAway, offersCommands = false }: PolicyEnds,
): RunPolicy {
  const { session, options, host } = context;
  const { stateDirectory, configuration } = session;
  const { approvals: store } = options;
  const { terminalOnly } = configuration.values.approvals;
  const approver = new SessionApprover(options, host, {
    terminalOnly,
    terminalOnlyBy: managedOption(session, "approvals.terminalOnly"),
    nobodyThere: createDenyApprover({ resumeCommand }),
    onWalkAway,
  });
  const check = new SandboxCheck(host);
  // What is wrong with the options is said before there is a run.
  executionOptions(session, options, host.cwd);
  return {
    async open({
      runId,
      audit,
      records,
      activeSkills,
      secretNames,
      approve,
    }): Promise<Runtime | Failure> {
      const approvals = await openRunApprovals(
        { stateDirectory, runId, terminalOnly, ...(store && { store }) },
        { records, ...(approve !== undefined && { approve }) },
      );
      if ("ok" in approvals) return withCommand(approvals, runId);
      const directory = join(stateDirectory, "runs", runId);
      const secrets = openSecrets(host, audit, secretNames);
      const shared = options.shared ?? openExecutor(session, options);
      const scope = {
        audit,
        approvals,
        approver: recordedFirst(approver, audit),
        activeSkills,
        directory,
        secrets,
        offersCommands: offersCommands && (await hasSandbox(shared)),
      };
      const within = { ...context, options: { ...options, shared } };
      const runtime = await withMcp(composeRuntime(within, scope), within, scope);
      const requireSandbox = async () => {
        await check.require(runtime).catch((error: unknown) => {
          stop(asAppFailure(error));
          throw error;
        });
      };
      return confined(runtime, secrets, requireSandbox);
    },
  };
}

/** Whoever follows the record sees what a person is asked while they think about it. */
function recordedFirst(approver: Approver, audit: Audit): Approver {
  return {
    async ask(request, context) {
      await audit.sync();
      return approver.ask(request, context);
    },
  };
}

/** Where only a person may approve, it asks that person again. */
function resumeCommand(request: ApprovalRequest): string {
  const { run, id, terminalOnly } = request;
  if (isAboutChanges(request)) return `skillwright runs changes ${run}`;
  const command = `skillwright runs resume ${run}`;
  return terminalOnly ? command : `${command} --approve ${id}`;
}

function withCommand(failure: Failure, run: string): Failure {
  if (failure.code === "approval-unknown") {
    return { ...failure, hint: `See what it waits for: skillwright runs show ${run}` };
  }
  if (failure.code !== "approval-terminal-only") return failure;
  return { ...failure, hint: `Run in a terminal: skillwright runs resume ${run}` };
}

/** Without a sandbox that works, nobody is asked and the run stops: it can go on once there is one. */
function confined(
  { executor, workspaceTools, environment, heldChanges, close }: ComposedRuntime,
  secrets: Secrets,
  requireSandbox: () => Promise<void>,
): Runtime {
  const guarded = (tool: SkillTool): SkillTool => ({
    ...tool,
    async execute(input, context) {
      await requireSandbox();
      return tool.execute(input, context);
    },
    toText: (result) => tool.toText(result),
  });
  return {
    executor: {
      ...executor,
      async run(request, context) {
        await requireSandbox();
        return executor.run(request, context);
      },
    },
    secrets,
    environment,
    heldChanges,
    close,
    tools: workspaceTools.map((tool) => (tool.name === "run_command" ? guarded(tool) : tool)),
  };
}
