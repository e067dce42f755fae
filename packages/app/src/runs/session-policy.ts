import type { RunPolicy } from "@skillwright/agent";
import type { Failure, SkillTool } from "@skillwright/core";
import { defined } from "@skillwright/core/internal";
import type {
  ApprovalDecision,
  ApprovalRequest,
  Approver,
  AskContext,
  Audit,
  Runtime,
} from "@skillwright/runtime";
import {
  createDenyApprover,
  hasSandbox,
  isAboutChanges,
  openRunApprovals,
  type Secrets,
} from "@skillwright/runtime/internal";
import { join } from "node:path";
import type { AppApprovals, ApprovalAnswer, PendingApproval } from "../api.ts";
import { type AppFailure, asAppFailure } from "../failure.ts";
import { withMcp } from "../mcp/with-mcp.ts";
import {
  type ComposedRuntime,
  composeRuntime,
  executionOptions,
  openExecutor,
  openSecrets,
  type RuntimeContext,
} from "../runtime/compose-runtime.ts";
import { SandboxCheck } from "../runtime/lazy-runtime.ts";
import { SessionApprover } from "../runtime/session-runtime.ts";
import { managedOption } from "../session/session.ts";
import { shownRequest } from "./find-run.ts";

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

interface Waiting {
  readonly request: ApprovalRequest;
  readonly source: AskContext["source"];
  readonly settle: (decision: ApprovalDecision) => void;
}

/** Requests wait here until somebody answers, or their run is canceled. */
export class ApprovalQueue implements AppApprovals, Approver {
  readonly #waiting = new Map<string, Waiting>();
  readonly #listeners = new Set<() => void>();

  pending(): readonly PendingApproval[] {
    return [...this.#waiting.values()].map(({ request }) => ({
      id: request.id,
      runId: request.run,
      request: shownRequest(request),
    }));
  }

  source(id: string): string | undefined {
    return this.#waiting.get(id)?.source?.();
  }

  answer(id: string, given: ApprovalAnswer): { readonly ok: true } | Failure {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) {
      return { ok: false, code: "approval-unknown", message: `no call waits for ${id}` };
    }
    const { approved, scope = "once", reason } = given;
    if (approved && !waiting.request.scopes.includes(scope)) {
      const message = `${id} cannot be approved for "${scope}"`;
      const hint = `it can be for ${waiting.request.scopes.join(", ")}`;
      return { ok: false, code: "approval-scope", message, hint };
    }
    const { anyArguments, allOfKind, only } = given;
    const more = defined({ anyArguments, allOfKind, only, reason });
    waiting.settle({ ...more, approved, scope, by: "person" });
    return { ok: true };
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async ask(request: ApprovalRequest, { signal, source }: AskContext): Promise<ApprovalDecision> {
    // Whoever answers here is not at a terminal.
    if (request.terminalOnly) return { approved: false, pending: true, scope: "once", by: "host" };
    signal?.throwIfAborted();
    let leave = () => {};
    try {
      return await new Promise<ApprovalDecision>((settle, reject) => {
        leave = () => reject(signal?.reason as Error);
        signal?.addEventListener("abort", leave, { once: true });
        this.#waiting.set(request.id, { request, source, settle });
        this.#changed();
      });
    } finally {
      signal?.removeEventListener("abort", leave);
      this.#waiting.delete(request.id);
      this.#changed();
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}
