import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { directorySource, openSkills, type Skills } from "@skillwright/core";
import {
  type ApprovalDecision,
  type ApprovalRequest,
  type AuditRecord,
  DEFAULT_POLICY,
  type ExecutionReceipt,
  type Executor,
  type PolicySettings,
} from "@skillwright/runtime";
import {
  Gate,
  createRuntime,
  createSecrets,
  denyApprover,
  type ScriptExecution,
  openApprovals,
  resumeApproval,
} from "@skillwright/runtime/internal";
import {
  type AgentEvent,
  createSequenceModel,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type RunOptions,
  runAgent,
  type RunPolicy,
  type RunResult,
  type RunStore,
} from "../../packages/agent/src/index.ts";
import type { ModelCall } from "../../packages/agent/src/internal/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

type Entries = readonly (string | Readonly<Record<string, unknown>>)[];

interface WorldOptions extends Partial<Omit<RunOptions, "model" | "skills">> {
  /** Files of the roots, such as `project/pdf/SKILL.md`. */
  readonly files: Readonly<Record<string, string>>;
  /** Folders that are roots, and their sources; the first one counts most. Default: `project`. */
  readonly roots?: readonly string[];
}

interface Ran {
  readonly result: RunResult;
  readonly records: readonly AuditRecord[];
  /** Their names, in order. */
  readonly names: readonly string[];
  /** What the model was sent, turn by turn. */
  readonly requests: readonly ModelRequest[];
  /** The data of all events of a name. */
  readonly of: <Name extends AgentEvent["event"]>(name: Name) => readonly DataOf<Name>[];
}

type DataOf<Name> = Extract<AgentEvent, { event: Name }>["data"];

/** Skills on a disk, and runs with them. */
export async function agentWorld({ files, roots = ["project"], ...defaults }: WorldOptions) {
  const folder = temporaryFolder(files);
  for (const name of ["work", ...roots]) mkdirSync(join(folder, name), { recursive: true });
  const skills = await openSkills({
    roots: roots.map((label) => directorySource(join(folder, label), { label })),
  });
  const run = (model: Model | Entries, options: Partial<RunOptions> = {}) =>
    runWith(skills, "decide" in model ? model : createSequenceModel(model), {
      ...defaults,
      ...options,
    });
  return { folder, skills, run };
}

async function runWith(
  skills: Skills,
  model: Model,
  { onEvent, ...options }: Partial<RunOptions>,
): Promise<Ran> {
  const requests: ModelRequest[] = [];
  const records: AuditRecord[] = [];
  const watched: Model = {
    ...model,
    decide(request, context) {
      requests.push(request);
      return model.decide(request, context);
    },
  };
  const result = await runAgent({
    request: "do it",
    ...options,
    skills,
    model: watched,
    onEvent(event, runId) {
      if (event.event !== "text-delta") records.push(event);
      onEvent?.(event, runId);
    },
  });
  return {
    result,
    records,
    requests,
    names: records.map(({ event }) => event),
    of: <Name extends AgentEvent["event"]>(name: Name) =>
      records.filter(({ event }) => event === name).map(({ data }) => data as DataOf<Name>),
  };
}

/** A model that makes native calls: each turn some, or a text. */
export function callingModel(turns: readonly (string | readonly Partial<ModelCall>[])[]): Model {
  let next = 0;
  return modelOf(() => {
    const turn = turns[next++] ?? "no more";
    if (typeof turn === "string") return { text: turn, calls: [] };
    const calls = turn.map(({ id, name = "", input = {} }, i) => ({
      id: id ?? `call-${next}-${i + 1}`,
      name,
      input,
    }));
    return { text: "", calls };
  });
}

/** A model that is a function, at a price. */
export function modelOf(
  decide: (request: ModelRequest, turn: number) => Extract<ModelResponse, { ok: true }>["message"],
  more: Partial<Model> & { readonly usage?: Partial<ModelResponse["usage"]> } = {},
): Model {
  let turn = 0;
  const { usage, ...rest } = more;
  return {
    id: "mock:function",
    protocol: "tools",
    contextTokens: 100_000,
    decide: async (request) => ({
      ok: true,
      message: decide(request, ++turn),
      finish: "stop",
      usage: {
        inputTokens: 10,
        outputTokens: 1,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        calls: 1,
        ...usage,
      },
      latencyMs: 0,
    }),
    ...rest,
  };
}

/** One decision after the other as native calls, the last one for ever. */
export function action(name: string, input: object = {}): readonly Partial<ModelCall>[] {
  return [{ name, input }];
}

/** The same store, without what redaction left out of its records. */
export function withoutExactTexts(store: RunStore): RunStore {
  const { exactTexts: _, ...rest } = store;
  return rest;
}

interface PolicyOptions {
  readonly settings?: Partial<PolicySettings>;
  /** Without one, nobody is there to approve. */
  readonly decide?: (
    request: ApprovalRequest,
    signal: AbortSignal | undefined,
  ) => ApprovalDecision | Promise<ApprovalDecision>;
  readonly executor?: Executor;
  /** Variables whose values are secrets. */
  readonly env?: Readonly<Record<string, string>>;
}

export const APPROVED: ApprovalDecision = { approved: true, scope: "once", by: "person" };
export const REFUSED: ApprovalDecision = { approved: false, scope: "once", by: "person" };

/** The real gate and the tools of a workspace; scripts only seem to run, unless an executor is given. */
export function gatedPolicy(folder: string, options: PolicyOptions = {}) {
  const ran: ScriptExecution[] = [];
  const asked: ApprovalRequest[] = [];
  const { settings, decide, executor = pretendingExecutor(), env } = options;
  const cwd = join(folder, "work");
  const policy: RunPolicy = {
    async open({ runId, audit, activeSkills, records, secretNames, approve }) {
      const approvals = await openApprovals({ stateDirectory: join(folder, "state"), runId });
      if (approve !== undefined) {
        const stored = records.findLast(({ event }) => event === "approval-request")?.data;
        const resumed = await resumeApproval(stored, approve, { approvals });
        if (!resumed.ok) return resumed;
      }
      const gate = new Gate({
        settings: { ...DEFAULT_POLICY, ...settings },
        places: { workingDirectory: cwd },
        activeSkills,
        approvals,
        approver: decide
          ? {
              async ask(request, { signal }) {
                asked.push(request);
                return decide(request, signal);
              },
            }
          : denyApprover,
        audit,
        ...(env && {
          secrets: createSecrets({
            env,
            read: secretNames,
            onRead: (name) => audit.append({ event: "secret-read", data: { name } }),
          }),
        }),
      });
      return createRuntime({
        gate,
        execution: {
          executor: {
            probe: () => executor.probe(),
            run(request, context) {
              if ("argv" in request) throw new Error("only scripts are run here");
              ran.push(request);
              return executor.run(request, context);
            },
          },
          sandbox: "bubblewrap",
          cwd,
        },
        workspace: { root: cwd, trash: join(folder, "trash") },
        skills: () => [],
      });
    },
  };
  return { policy, ran, asked };
}

/** Gives its arguments back. */
export function pretendingExecutor(
  output: (request: ScriptExecution) => Partial<ExecutionReceipt> = () => ({}),
): Executor {
  return {
    probe: async () => ({ ok: true }),
    run: async (request) => {
      if ("argv" in request) throw new Error("only scripts are run here");
      return {
        ok: true,
        exitCode: 0,
        signal: null,
        timedOut: false,
        canceled: false,
        truncated: false,
        stdout: `ran ${request.args.join(" ")}\n`,
        stderr: "",
        durationMs: 1,
        sandbox: "code",
        digest: request.skill.digest ?? "",
        command: [],
        unenforced: [],
        ...output(request),
      };
    },
  };
}
