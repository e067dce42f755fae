import { defined } from "@skillwright/core/internal";
import type { ApprovalRequest, AuditRecord } from "@skillwright/runtime";
import { contentDigest } from "@skillwright/runtime/internal/records";
import type { Action } from "../actions/action.ts";
import type { Plan } from "../actions/plan.ts";
import type { RunUsage } from "../loop/budget.ts";
import type {
  AgentEvent,
  ChangesSettled,
  ConversationStart,
  FileRead,
  RunEnd,
  RunStatus,
  SkillActivated,
} from "../events/run-event.ts";
import { applyEvent } from "../loop/apply-event.ts";
import { EMPTY_STATE, type RunState } from "../loop/run-state.ts";
import { turnOf } from "./conversation.ts";

/** For a person: what an action is about. */
export function subjectOf(action: Action): string {
  switch (action.action) {
    case "select_skills":
      return action.skills.map(({ name }) => name).join(", ");
    case "unload_skill":
      return action.skill.name;
    case "load_resource":
      return `${action.skill.name}/${action.relative_path}`;
    case "run_script":
      return [`${action.skill.name}/${action.relative_path}`, ...action.args].join(" ");
    case "use_tool":
      return action.tool;
    default:
      return "";
  }
}

/** What `run.json` holds: the run in short, made from its record alone. */
export interface RunSummary {
  readonly schemaVersion: 2;
  readonly runId: string;
  readonly parent?: string;
  /** The conversation that it is a part of, and which request of it this is, from 1 on. */
  readonly conversation?: { readonly id: string; readonly turn: number };
  /** `unfinished` when it is running, or was cut off. */
  readonly status: RunStatus | "unfinished";
  readonly startedAt: string;
  /** Time of the last record. */
  readonly updatedAt: string;
  readonly request: string;
  readonly model: string;
  readonly answer: string;
  readonly reason?: string;
  /** For programs: what was missing. */
  readonly code?: string;
  readonly approval?: string;
  readonly skills: readonly Pick<SkillActivated, "name" | "source" | "digest" | "by">[];
  /** Files of skills. */
  readonly resources: readonly Pick<FileRead, "skill" | "path" | "ok">[];
  /** Files of the workspace that tools reached. */
  readonly files: readonly { path: string; act: "read" | "write" | "delete" }[];
  readonly tools: readonly { tool: string; ok: boolean | null }[];
  readonly scripts: readonly {
    readonly skill: string;
    readonly script: string;
    readonly args: readonly string[];
    /** Null when it was cut off, or never ran. */
    readonly exitCode: number | null;
    readonly ok: boolean;
  }[];
  readonly decisions: readonly {
    readonly turn: number;
    readonly action: Action["action"] | "rejected";
    /** What it was about: names, a path, a tool. */
    readonly subject: string;
    readonly ok: boolean;
    readonly code?: string;
    /** The beginning of its result. */
    readonly summary: string;
    /** Digest of the whole result. */
    readonly digest: string;
    readonly output?: string;
  }[];
  readonly approvals: readonly {
    readonly request: string;
    readonly tool: string;
    /** For scripts: the skill, and its digest. */
    readonly skill?: string;
    readonly digest?: string;
    readonly script?: string;
    /** Null until it is decided. */
    readonly approved: boolean | null;
    readonly by: string;
  }[];
  /** What a person decided on changes of scripts after the run had ended. */
  readonly settled: readonly (Omit<ChangesSettled, "left"> & { readonly time: string })[];
  /** How many changes of scripts wait for a person. */
  readonly heldChanges?: number;
  readonly denials: readonly { tool: string; reason: string }[];
  readonly children: readonly { runId: string; skill: string; status: RunStatus | "unfinished" }[];
  readonly plan?: Plan;
  readonly usage: RunUsage;
  /** How often it was resumed. */
  readonly resumed: number;
}

const MAX_SUMMARY = 500;

type Draft = {
  -readonly [Key in keyof RunSummary]: RunSummary[Key] extends readonly (infer Item)[]
    ? Item[]
    : RunSummary[Key];
};

/** Pure. */
export function summarizeRun(records: readonly AuditRecord[]): RunSummary {
  const draft: Draft = {
    schemaVersion: 2,
    runId: "",
    status: "unfinished",
    startedAt: records[0]?.time ?? "",
    updatedAt: records.at(-1)?.time ?? "",
    request: "",
    model: "",
    answer: "",
    skills: [],
    resources: [],
    files: [],
    tools: [],
    scripts: [],
    decisions: [],
    approvals: [],
    settled: [],
    denials: [],
    children: [],
    usage: EMPTY_STATE.usage,
    resumed: 0,
  };
  let state = EMPTY_STATE;
  let last: string | undefined;
  for (const record of records) {
    addRecord(draft, record, state);
    state = applyEvent(state, record);
    if (state.end !== undefined && isModels(state.end)) last = state.end.answer;
  }
  const { start, end, plan, usage } = state;
  const { runId = "", parent, conversation, request = "" } = start ?? {};
  const { status = "unfinished", reason, code, approval, heldChanges } = end ?? {};
  const answer = end !== undefined && isModels(end) ? end.answer : (last ?? end?.answer ?? "");
  return {
    ...draft,
    runId,
    ...defined({ parent, conversation: conversation && placeIn(conversation) }),
    status,
    request,
    answer,
    ...defined({ reason, code, approval, heldChanges, plan }),
    usage,
  };
}

/** An answer is not lost when the run goes on and is stopped. */
function isModels({ status, isAnswer }: RunEnd): boolean {
  return status === "answered" || isAnswer === true;
}

function placeIn(conversation: ConversationStart) {
  return { id: conversation.id, turn: turnOf(conversation) };
}

function addRecord(draft: Draft, record: AuditRecord, state: RunState): void {
  const event = record as unknown as AgentEvent;
  switch (event.event) {
    case "run-start":
      draft.model = event.data.means.model;
      return;
    case "run-resume":
      draft.model = event.data.means.model;
      draft.resumed++;
      return;
    case "skill-activate": {
      const { name, source, digest, by } = event.data;
      draft.skills.push({ name, source, digest, by });
      return;
    }
    case "file-read": {
      const { skill, path, ok } = event.data;
      draft.resources.push({ skill, path, ok });
      return;
    }
    case "child-start":
    case "child-end": {
      const { runId, skill } = event.data;
      const status = event.event === "child-end" ? event.data.status : "unfinished";
      draft.children = draft.children.filter((one) => runId !== one.runId);
      draft.children.push({ runId, skill, status });
      return;
    }
    case "changes-settle": {
      const { left, ...settled } = event.data;
      if (left !== undefined) draft.settled.push({ time: record.time, ...settled });
      return;
    }
    case "action-reject": {
      const { turn, problem } = event.data;
      const rejected = { turn, action: "rejected", subject: "", ok: false } as const;
      draft.decisions.push({ ...rejected, ...inShort(problem) });
      return;
    }
    case "action-end": {
      const { turn, call, ok, code, observation, output } = event.data;
      const action = state.pending.find((one) => one.call === call)?.action;
      if (action === undefined) return;
      const what = { turn, action: action.action, subject: subjectOf(action), ok };
      const { digest, file } = output ?? {};
      draft.decisions.push({
        ...what,
        ...defined({ code }),
        ...inShort(observation),
        ...defined({ digest, output: file }),
      });
      return;
    }
    default:
      addRuntimeRecord(draft, record);
  }
}

interface RuntimeFields {
  readonly tool?: string;
  readonly reason?: string;
  readonly ok?: boolean;
  readonly path?: string;
  readonly deleted?: boolean;
  readonly skill?: string;
  readonly script?: string;
  readonly args?: readonly string[];
  readonly exitCode?: number | null;
  readonly request?: string;
  readonly decision?: {
    readonly approved: boolean;
    readonly pending?: boolean;
    readonly by: string;
  };
}

function addRuntimeRecord(draft: Draft, { event, data }: AuditRecord): void {
  if (event === "approval-request") return addRequest(draft, data as Partial<ApprovalRequest>);
  const { tool = "", reason = "", ok, path = "", ...fields } = (data ?? {}) as RuntimeFields;
  if (event === "policy-deny") draft.denials.push({ tool, reason });
  else if (event === "tool-call") draft.tools.push({ tool, ok: null });
  else if (event === "tool-end") {
    // Calls side by side end in any order.
    const begun = draft.tools.find((one) => one.tool === tool && one.ok === null);
    if (begun) begun.ok = ok ?? true;
  } else if (event === "workspace-read") draft.files.push({ path, act: "read" });
  else if (event === "workspace-write") {
    draft.files.push({ path, act: fields.deleted === true ? "delete" : "write" });
  } else if (event === "script-start") {
    const { skill = "", script = "", args = [] } = fields;
    draft.scripts.push({ skill, script, args, exitCode: null, ok: false });
  } else if (event === "script-end") {
    const last = draft.scripts.pop();
    if (last) draft.scripts.push({ ...last, exitCode: fields.exitCode ?? null, ok: ok ?? false });
  } else if (event === "approval-decision" && fields.decision?.pending !== true) {
    const { request, decision } = fields;
    draft.approvals = draft.approvals.map((one) =>
      one.request === request && decision
        ? { ...one, approved: decision.approved, by: decision.by }
        : one,
    );
  }
}

function addRequest(draft: Draft, request: Partial<ApprovalRequest>): void {
  const { id = "", tool = "", skill, script } = request;
  draft.approvals.push({
    request: id,
    tool,
    ...(skill && { skill: skill.name, digest: skill.digest }),
    ...(script && { script: script.path }),
    approved: null,
    by: "",
  });
}

function inShort(text: string) {
  return { summary: text.slice(0, MAX_SUMMARY), digest: contentDigest(text) };
}
