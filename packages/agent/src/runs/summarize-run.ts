import { type ApprovalRequest, type AuditRecord, contentDigest } from "@skillwright/runtime";
import type { Action } from "../actions/action.ts";
import type { Plan } from "../actions/plan.ts";
import type { RunUsage } from "../loop/budget.ts";
import type { AgentEvent, ConversationStart, RunStatus } from "../events/run-event.ts";
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

/** What `run.json` holds: a run in short, made from its record and from nothing else. */
export interface RunSummary {
  readonly schemaVersion: 2;
  readonly runId: string;
  readonly parent?: string;
  /** The conversation that it is a part of, and which request of it this is, from 1 on. */
  readonly conversation?: { readonly id: string; readonly turn: number };
  /** `unfinished` when it is running, or was cut off. */
  readonly status: RunStatus | "unfinished";
  readonly startedAt: string;
  /** Of the last record. */
  readonly updatedAt: string;
  readonly request: string;
  readonly model: string;
  readonly answer: string;
  readonly reason?: string;
  /** What is missing, when the run ended for the want of something. */
  readonly code?: string;
  readonly approval?: string;
  readonly skills: readonly SummarySkill[];
  /** Files of skills. */
  readonly resources: readonly { skill: string; path: string; ok: boolean }[];
  /** Files of the workspace that tools reached. */
  readonly files: readonly { path: string; act: "read" | "write" | "delete" }[];
  readonly tools: readonly { tool: string; ok: boolean | null }[];
  readonly scripts: readonly SummaryScript[];
  readonly decisions: readonly SummaryDecision[];
  readonly approvals: readonly SummaryApproval[];
  readonly denials: readonly { tool: string; reason: string }[];
  readonly children: readonly { runId: string; skill: string; status: RunStatus | "unfinished" }[];
  readonly plan?: Plan;
  readonly usage: RunUsage;
  /** How often it went on after it was stopped or cut off. */
  readonly resumed: number;
}

interface SummarySkill {
  readonly name: string;
  readonly source: string;
  readonly digest: string;
  readonly by: "model" | "person";
}

interface SummaryScript {
  readonly skill: string;
  readonly script: string;
  readonly args: readonly string[];
  /** Null when it was cut off, or never came to run. */
  readonly exitCode: number | null;
  readonly ok: boolean;
}

interface SummaryDecision {
  readonly turn: number;
  readonly action: Action["action"] | "rejected";
  /** What it was for: names, a path, a tool. */
  readonly subject: string;
  readonly ok: boolean;
  readonly code?: string;
  /** The beginning of what came of it. */
  readonly summary: string;
  /** Of the whole. */
  readonly digest: string;
  readonly output?: string;
}

interface SummaryApproval {
  readonly request: string;
  readonly tool: string;
  /** Whose script it is; of other tools there are none of these. */
  readonly skill?: string;
  readonly script?: string;
  /** Of the skill. */
  readonly digest?: string;
  /** Null while nobody has decided. */
  readonly approved: boolean | null;
  readonly by: string;
}

const MAX_SUMMARY = 500;

type Draft = {
  -readonly [Key in keyof RunSummary]: RunSummary[Key] extends readonly (infer Item)[]
    ? Item[]
    : RunSummary[Key];
};

/** Pure. */
export function summarizeRun(records: readonly AuditRecord[]): RunSummary {
  const draft = emptySummary(records);
  let state = EMPTY_STATE;
  for (const record of records) {
    addRecord(draft, record, state);
    state = applyEvent(state, record);
  }
  const { start, end, plan, usage } = state;
  return {
    ...draft,
    runId: start?.runId ?? "",
    ...(start?.parent !== undefined && { parent: start.parent }),
    ...(start?.conversation && { conversation: placeOf(start.conversation) }),
    status: end?.status ?? "unfinished",
    request: start?.request ?? "",
    answer: end?.answer ?? "",
    ...(end?.reason !== undefined && { reason: end.reason }),
    ...(end?.code !== undefined && { code: end.code }),
    ...(end?.approval !== undefined && { approval: end.approval }),
    ...(plan && { plan }),
    usage,
  };
}

function placeOf(conversation: ConversationStart) {
  return { id: conversation.id, turn: turnOf(conversation) };
}

function emptySummary(records: readonly AuditRecord[]): Draft {
  return {
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
    denials: [],
    children: [],
    usage: EMPTY_STATE.usage,
    resumed: 0,
  };
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
      draft.children.push({ ...childOf(event.data), status: "unfinished" });
      return;
    case "child-end":
      draft.children = draft.children.filter(({ runId }) => runId !== event.data.runId);
      draft.children.push({ ...childOf(event.data), status: event.data.status });
      return;
    case "action-reject": {
      const { turn, problem } = event.data;
      draft.decisions.push({
        turn,
        action: "rejected",
        subject: "",
        ok: false,
        ...inShort(problem),
      });
      return;
    }
    case "action-end": {
      const { turn, call, ok, code, observation, output } = event.data;
      const action = state.pending.find((one) => one.call === call)?.action;
      if (action === undefined) return;
      draft.decisions.push({
        turn,
        action: action.action,
        subject: subjectOf(action),
        ok,
        ...(code !== undefined && { code }),
        ...inShort(observation),
        ...(output && { digest: output.digest }),
        ...(output?.file !== undefined && { output: output.file }),
      });
      return;
    }
    default:
      addRuntimeRecord(draft, record);
  }
}

/** What the runtime wrote between. */
function addRuntimeRecord(draft: Draft, { event, data }: AuditRecord): void {
  const fields = data as Record<string, never>;
  if (event === "policy-deny") {
    draft.denials.push({ tool: fields["tool"] ?? "", reason: fields["reason"] ?? "" });
  } else if (event === "approval-request") {
    addRequest(draft, data as Partial<ApprovalRequest>);
  } else if (event === "approval-decision") {
    addDecision(draft, data as RecordedDecision);
  } else if (event === "tool-call") {
    draft.tools.push({ tool: fields["tool"] ?? "", ok: null });
  } else if (event === "tool-end") {
    // Calls side by side end in any order.
    const at = draft.tools.findIndex(({ tool, ok }) => tool === fields["tool"] && ok === null);
    const begun = draft.tools[at];
    if (begun) draft.tools[at] = { ...begun, ok: fields["ok"] ?? true };
  } else if (event === "workspace-read") {
    draft.files.push({ path: fields["path"] ?? "", act: "read" });
  } else if (event === "workspace-write") {
    const { path = "", deleted = false } = fields;
    draft.files.push({ path, act: deleted ? "delete" : "write" });
  } else if (event === "script-start") {
    const { skill = "", script = "", args = [] } = fields;
    draft.scripts.push({ skill, script, args, exitCode: null, ok: false });
  } else if (event === "script-end") {
    const last = draft.scripts.pop();
    const { exitCode = null, ok = false } = fields;
    if (last) draft.scripts.push({ ...last, exitCode, ok });
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

interface RecordedDecision {
  readonly request: string;
  readonly decision: {
    readonly approved: boolean;
    readonly pending?: boolean;
    readonly by: string;
  };
}

function addDecision(draft: Draft, { request, decision }: RecordedDecision): void {
  const { approved, pending = false, by } = decision;
  draft.approvals = draft.approvals.map((approval) =>
    approval.request === request && !pending ? { ...approval, approved, by } : approval,
  );
}

function childOf({ runId, skill }: { readonly runId: string; readonly skill: string }) {
  return { runId, skill };
}

function inShort(text: string) {
  return { summary: text.slice(0, MAX_SUMMARY), digest: contentDigest(text) };
}
