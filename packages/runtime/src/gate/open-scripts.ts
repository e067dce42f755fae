import {
  type Failure,
  type ScriptExecutor,
  type Tracer,
  type SkillTool,
  defaultStateDirectory,
} from "@skillwright/core";
import {
  checkOptions,
  oneOf,
  type OptionKinds,
  isTracer,
  traced,
} from "@skillwright/core/internal";
import { createHash, randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { ApprovalDecision, ApprovalFailure, ApprovalRequest } from "../approvals/approval.ts";
import {
  type Approver,
  type AskContext,
  denyApprover,
  openRunApprovals,
  type RecordedRunApprovals,
  resumeApproval,
} from "../approvals/approvers.ts";
import {
  type Approvals,
  openApprovals,
  type OpenApprovalsOptions,
} from "../approvals/open-approvals.ts";
import type { ApprovalStore } from "../approvals/store.ts";
import type { Audit } from "../audit/audit.ts";
import { openAudit } from "../audit/register.ts";
import { createRedactor } from "../audit/redaction/create-redactor.ts";
import { RunChanges } from "../changes/run-changes.ts";
import { createExecutor } from "../execution/create-executor.ts";
import {
  type ExecutionContext,
  type ExecutionLimits,
  type Executor,
} from "../execution/executor.ts";
import { executionFailure, type ExecutionFailure } from "../execution/execution-failure.ts";
import type { NarrowingRules } from "../policy/policy-settings.ts";
import { DEFAULT_POLICY, type PolicySettings } from "../policy/policy-settings.ts";
import { createSecrets } from "../secrets/secrets.ts";
import type { WorkspaceOptions } from "../workspace/workspace.ts";
import { createRuntime, type Runtime, type RuntimeOptions } from "./create-runtime.ts";
import { Gate, type GateOptions } from "./gate.ts";
import { guardTool } from "./guard-tools.ts";
import { type HeldFiles, heldFiles } from "./create-runtime.ts";

/** Yes or no, or a decision; what a decision leaves out is `scope: "once"` and `by: "host"`. */
export type ApprovalAnswer =
  | boolean
  | (Pick<ApprovalDecision, "approved"> & Partial<ApprovalDecision>);

/**
 * Shows the request to whoever decides. An interrupt that it throws, such as LangGraph's, passes
 * through every tool and adapter as it is, and approves nothing.
 */
export type Approve = (
  request: ApprovalRequest,
  context: AskContext,
) => ApprovalAnswer | Promise<ApprovalAnswer>;

/** The parts of an agent's run that its scripts belong to: what a policy of `runAgent` is opened with. */
export interface ScriptsRun extends RecordedRunApprovals {
  readonly runId: string;
  readonly audit: Audit;
  readonly activeSkills: NonNullable<GateOptions["activeSkills"]>;
  readonly secretNames: () => readonly string[];
}

export interface OpenScriptsOptions {
  /** The folder that scripts work in, or `fresh` for an empty one per script that is gone afterwards. */
  readonly cwd: string;
  /** On whose behalf; an approval counts only for its principal. Default: the user of this process. */
  readonly principal?: string;
  /** Without it, a call that policy asks about gives `approval-needed` with the request to `resume`. */
  readonly approve?: Approve | Approver;
  /** What differs from `DEFAULT_POLICY`. */
  readonly policy?: Partial<PolicySettings>;
  /** What narrows it for these scripts alone. */
  readonly runPolicy?: NarrowingRules;
  /** Where scripts run instead of a sandbox of this machine, such as a container service. */
  readonly executor?: Executor;
  /**
   * `auto` (the default) is the sandbox of this platform, `none` runs scripts without one. With an
   * `executor`, its name in approvals and records.
   */
  readonly sandbox?: string;
  /** Folders below `cwd` in which changes are kept without asking. */
  readonly writable?: readonly string[];
  /** Hosts that scripts may reach: `example.com`, `*.example.com`, `example.com:8443`. Default: none. */
  readonly network?: readonly string[];
  readonly limits?: ExecutionLimits;
  /** Where approvals are kept, such as a database of several servers. Default: the state directory. */
  readonly approvals?: ApprovalStore;
  /** A record of your own, or the file of one. Default: a file in the user's state. */
  readonly audit?: Audit | string;
  /** Keys, approvals, records and held changes; no script may write there. Default: the user's state. */
  readonly stateDirectory?: string;
  /** Names the run. With the same one, another process goes on with its approvals and held changes. */
  readonly runId?: string;
  /** Where secrets and the state directory come from. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Offers tools for the files in `cwd`: true, or switches and limits of these tools. */
  readonly workspace?:
    | boolean
    | Partial<Omit<WorkspaceOptions, "root" | "changes" | "commandRunner">>;
  /** The registry: its scripts run only as scripts, never as plain commands of `workspace`. */
  readonly skills?: { readonly all: RuntimeSkills; readonly shadowed: RuntimeSkills };
  /** The skills that a conversation has active; what they declare narrows the tools of `workspace`. */
  readonly activeSkills?: GateOptions["activeSkills"];
  /** Gets the output of scripts as it comes, without secrets. Must not throw. */
  readonly onOutput?: NonNullable<ExecutionContext["onOutput"]>;
  /** Makes a span of every script: a tracer of `@opentelemetry/api`. */
  readonly tracer?: Tracer;
  /** For a policy of `runAgent`: the context that it is opened with. */
  readonly run?: ScriptsRun;
}

type RuntimeSkills = ReturnType<RuntimeOptions["skills"]>;

/** What a host runs scripts with: give it to `skills.conversation({ scripts })`. */
export interface Scripts extends Required<Runtime> {
  readonly ok: true;
  /** What holds the scripts: `bubblewrap`, `sandbox-runtime`, `none`, or the host's own. */
  readonly sandbox: string;
  readonly runId: string;
  readonly principal: string;
  /** Policy, approvals and record as one, for parts that take a gate, such as an MCP server. */
  readonly gate: Gate;
  /** A tool of the host behind the same policy, under the name of another tool if that is to count. */
  guard(tool: SkillTool, policyName?: string): SkillTool;
  /** What scripts changed and nobody has decided on. */
  readonly held: HeldFiles;
  /**
   * Approves the request of a failure `approval-needed`; then make the call again. It counts once, for
   * the call that equals it, and only for the principal that it was made for.
   */
  resume(
    request: unknown,
  ): Promise<{ readonly ok: true; readonly request: ApprovalRequest } | ApprovalFailure>;
  /** The tools of the workspace, behind the same policy. None unless `workspace` asks for them. */
  readonly tools: readonly SkillTool[];
}

const isObject = (value: unknown) => typeof value === "object" && value !== null;
const expect = (what: string, test: (value: unknown) => boolean) => (value: unknown) =>
  test(value) ? undefined : what;

/** Names a folder. */
const RUN_ID = /^[A-Za-z0-9][\w.-]{0,199}$/;

const OPTIONS: OptionKinds<OpenScriptsOptions> = {
  cwd: "string",
  principal: "string",
  approve: expect(
    "a function or an object with ask",
    (value) => typeof value === "function" || (isObject(value) && "ask" in Object(value)),
  ),
  policy: "object",
  runPolicy: "object",
  executor: "object",
  sandbox: "string",
  writable: "strings",
  network: "strings",
  limits: "object",
  approvals: "object",
  audit: expect("a file or a record", (value) => typeof value === "string" || isObject(value)),
  stateDirectory: "string",
  runId: expect("an id of letters, digits, dots and dashes", (v) => RUN_ID.test(String(v))),
  env: "object",
  workspace: expect("true, false or an object", (v) => typeof v === "boolean" || isObject(v)),
  skills: "object",
  activeSkills: "function",
  onOutput: "function",
  tracer: expect("a tracer", isTracer),
  run: "object",
};

const POLICY: OptionKinds<PolicySettings> = {
  allow: "strings",
  ask: "strings",
  deny: "strings",
  allowedTools: oneOf("ask", "restrict", "grant", "ignore"),
  switches: "object",
  risks: "object",
  secretReads: oneOf("ask", "deny"),
  decisions: "object",
};

const RUN_POLICY: OptionKinds<NarrowingRules> = {
  deny: "strings",
  ask: "strings",
  only: "strings",
};

const LIMITS: OptionKinds<ExecutionLimits> = {
  timeoutMs: "number",
  outputBytes: "number",
  memoryBytes: "number",
  cpuSeconds: "number",
  fileBytes: "number",
  openFiles: "number",
  processes: "number",
  networkBytes: "number",
};

/**
 * Opens what runs the scripts of skills for one person: policy, approvals, a record, and a sandbox. A
 * sandbox that is missing or does not work is a failure with the way to fix it.
 */
export async function openScripts(
  options: OpenScriptsOptions,
): Promise<Scripts | ExecutionFailure | ApprovalFailure> {
  checkOptions("openScripts", options, OPTIONS, ["cwd"]);
  checkOptions("openScripts: policy", options.policy ?? {}, POLICY);
  checkOptions("openScripts: runPolicy", options.runPolicy ?? {}, RUN_POLICY);
  checkOptions("openScripts: limits", options.limits ?? {}, LIMITS);
  const { env = process.env, run, principal } = options;
  const { stateDirectory = defaultStateDirectory(env) } = options;
  const runId = run?.runId ?? options.runId ?? newRunId();
  const chosen = await openExecutor(options);
  if (!chosen.ok) return chosen;
  const { executor, sandbox } = chosen;
  const directory = directoryOf(stateDirectory, runId, options);
  const isFresh = options.cwd === "fresh";
  const root = isFresh ? undefined : realFolder(options.cwd);
  if (root === undefined && !isFresh) {
    const message = `the working directory ${JSON.stringify(options.cwd)} does not exist`;
    return executionFailure("working-directory-refused", message, "Create it, or choose another.");
  }
  const identity = {
    stateDirectory,
    runId,
    ...(principal !== undefined && { principal }),
    ...(options.approvals && { store: options.approvals }),
  };
  const approver = approverOf(options.approve);
  const approvals = await approvalsOf(identity, approver, run);
  if ("ok" in approvals) return approvals;
  const record = openRecord(options, directory, { env, stateDirectory });
  const audit = approver.recording?.(record) ?? record;
  const secrets = createSecrets({
    env,
    onRead: (name) => audit.append({ event: "secret-read", data: { name } }),
    ...(run && { read: run.secretNames }),
  });
  const workspace = workspaceOf(options.workspace);
  const gate = new Gate({
    settings: policyOf(options, workspace),
    places: { workingDirectory: root ?? directory, home: homedir() },
    activeSkills: options.activeSkills ?? run?.activeSkills ?? (() => []),
    approvals,
    approver,
    audit,
    secrets,
    ...(options.runPolicy && { runPolicy: options.runPolicy }),
  });
  const changes = root === undefined ? undefined : new RunChanges({ root, folder: directory });
  const { writable = [], network = [], limits, onOutput, skills } = options;
  const runtime = createRuntime({
    gate,
    execution: {
      executor,
      sandbox,
      cwd: root ?? "fresh",
      writable,
      network: network.length === 0 ? "none" : { domains: network },
      spillDirectory: join(directory, "output"),
      ...(limits && { limits }),
      ...(onOutput && { onOutput }),
      ...(changes && { changes }),
    },
    workspace: { trash: join(directory, "trash"), ...workspace, root: root ?? directory },
    skills: () => (skills === undefined ? [] : [...skills.all, ...skills.shadowed]),
  });
  const isOwnRecord = record !== options.audit && record !== run?.audit;
  return {
    ...runtime,
    executor: tracedExecutor(runtime.executor, options.tracer, sandbox),
    ok: true,
    sandbox,
    runId,
    principal: approvals.principal,
    gate,
    guard: (tool, policyName = tool.name) =>
      guardTool(tool, { gate, cwd: root ?? directory, policyName }),
    held: heldFiles(gate, changes),
    tools: workspace === undefined || isFresh ? [] : runtime.tools,
    resume: (request) =>
      resumeApproval(request, String(Object(request)["id"] ?? ""), { approvals }),
    close: async () => {
      if (isOwnRecord) await record.close();
      await runtime.close();
    },
  };
}

/** No arguments and no output: they may hold anything. */
function tracedExecutor(
  executor: ScriptExecutor,
  tracer: Tracer | undefined,
  sandbox: string,
): ScriptExecutor {
  if (tracer === undefined) return executor;
  return {
    ...executor,
    run: (request, context) =>
      traced(
        tracer,
        {
          name: "execute_tool run_skill_script",
          attributes: {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": "run_skill_script",
            "gen_ai.tool.type": "function",
            "skillwright.skill.name": request.skill.name,
            "skillwright.skill.source": request.skill.source,
            "skillwright.sandbox": sandbox,
          },
          factsOf: ({ failure }) => {
            const { exitCode } = Object(failure?.receipt) as { readonly exitCode?: unknown };
            return typeof exitCode === "number" ? { "process.exit.code": exitCode } : {};
          },
          failureOf: ({ ok, failure }) => (ok ? undefined : (failure?.code ?? "failed")),
        },
        () => executor.run(request, context),
      ),
  };
}

async function approvalsOf(
  identity: OpenApprovalsOptions,
  approver: Approver,
  run: ScriptsRun | undefined,
): Promise<Approvals | ApprovalFailure> {
  if (run !== undefined) return openRunApprovals(identity, run);
  const open = (principal = identity.principal) =>
    openApprovals({ ...identity, ...(principal !== undefined && { principal }) });
  return approver.approvals?.(open) ?? open();
}

/** Names sort by time. */
function newRunId(): string {
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  return `${time}-${randomUUID().slice(0, 8)}`;
}

type Opened = { readonly ok: true; readonly executor: Executor; readonly sandbox: string };

async function openExecutor({
  executor,
  sandbox,
}: OpenScriptsOptions): Promise<Opened | (Failure & ExecutionFailure)> {
  const chosen =
    executor === undefined
      ? createExecutor({ sandbox: sandbox ?? "auto" })
      : ({ ok: true, executor, sandbox: sandbox ?? "host" } as const);
  if (!chosen.ok) return chosen;
  const probe = await chosen.executor.probe();
  return probe.ok ? chosen : probe;
}

/** What is held for one person is nothing that another finds under the same id. */
function directoryOf(
  stateDirectory: string,
  runId: string,
  { principal, run }: OpenScriptsOptions,
): string {
  if (run !== undefined) return join(stateDirectory, "runs", runId);
  const owner =
    principal === undefined
      ? ""
      : `-${createHash("sha256").update(principal).digest("hex").slice(0, 8)}`;
  return join(stateDirectory, "calls", runId + owner);
}

function realFolder(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function openRecord(
  { audit, run }: OpenScriptsOptions,
  directory: string,
  { env, stateDirectory }: Required<Pick<OpenScriptsOptions, "env" | "stateDirectory">>,
): Audit {
  if (run !== undefined) return run.audit;
  if (typeof audit === "object") return audit;
  const file = audit ?? join(directory, "audit.jsonl");
  return openAudit({ file, stateDirectory, redactor: createRedactor({ env }) });
}

function approverOf(approve: OpenScriptsOptions["approve"]): Approver {
  if (typeof approve !== "function") return approve ?? denyApprover;
  return {
    async ask(request, context) {
      const answer = await approve(request, context);
      const given = typeof answer === "boolean" ? { approved: answer } : answer;
      return { scope: "once", by: "host", ...given };
    },
  };
}

function workspaceOf(workspace: OpenScriptsOptions["workspace"]) {
  if (workspace === undefined || workspace === false) return undefined;
  return workspace === true ? {} : workspace;
}

/** A tool that is off by default is on where the host switches it on for the workspace. */
function policyOf(
  { policy = {} }: OpenScriptsOptions,
  workspace: ReturnType<typeof workspaceOf> = {},
): PolicySettings {
  const { enableRunCommand, enableDeleteFile, enableNetworkRequest } = workspace;
  const switches = {
    ...(enableRunCommand && { run_command: true }),
    ...(enableDeleteFile && { delete_file: true }),
    ...(enableNetworkRequest && { network_request: true }),
    ...policy.switches,
  };
  return { ...DEFAULT_POLICY, ...policy, switches };
}
