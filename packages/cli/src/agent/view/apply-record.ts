import type { AgentEvent } from "@skillwright/agent";
import type { AuditRecord } from "@skillwright/runtime";
import { plural } from "@skillwright/core/internal";
import { changeLines } from "./change-lines.ts";
import { linesOf } from "./lines-of.ts";
import { commandText, textOf } from "./record-fields.ts";
import { shortTime } from "./amounts.ts";
import type { ViewLine, ViewState } from "./view-state.ts";

interface Applied {
  readonly state: ViewState;
  /** What has happened with it, for good. */
  readonly lines: readonly ViewLine[];
}

/** Pure: what a person sees after one more record. */
export function applyRecord(state: ViewState, record: AuditRecord, now: number): Applied {
  return { state: nextState(state, record, now), lines: linesOf(state, record) };
}

function nextState(state: ViewState, record: AuditRecord, now: number): ViewState {
  const event = record as unknown as AgentEvent;
  const doing = (text: string): ViewState => ({ ...state, activity: { text, since: now } });
  switch (event.event) {
    case "run-start":
    case "run-resume":
      return { ...doing("getting ready"), ...opened(state, now), model: event.data.means.model };
    case "model-request":
      return { ...doing("thinking"), said: "", turns: state.turns + 1 };
    case "model-response": {
      const { inputTokens, outputTokens, cost = 0 } = event.data.usage;
      const tokens = state.tokens + inputTokens + outputTokens;
      return { ...state, said: "", tokens, cost: state.cost + cost };
    }
    case "action-decide":
      return { ...doing(doingText(event.data.action)), ...decided(event.data.action) };
    case "skill-activate":
      return withoutReason(state);
    case "plan-update":
      return state.depth > 1 ? state : { ...state, plan: event.data.plan };
    case "action-end":
      return afterStep(doing("thinking"));
    case "run-end":
      return ended(state);
    default:
      return afterRuntime(state, record, now);
  }
}

function opened({ depth, began }: ViewState, now: number): Partial<ViewState> {
  return depth === 0 ? { depth: 1, began: now, hasEnded: false } : { depth: depth + 1, began };
}

function ended(state: ViewState): ViewState {
  const depth = Math.max(0, state.depth - 1);
  return { ...state, depth, hasEnded: depth === 0 };
}

function afterStep(state: ViewState): ViewState {
  const { script: _, command: __, tool: ___, changes: ____, ...kept } = withoutReason(state);
  return { ...kept, isRefused: false, isSearching: false };
}

function withoutReason(state: ViewState): ViewState {
  const { reason: _, ...kept } = state;
  return kept;
}

function decided(action: Decided): Partial<ViewState> {
  const reason = action.action === "select_skills" ? (action.reason ?? "") : "";
  const isSearching = action.action === "use_tool" && action.tool === "search_skills";
  return { isRefused: false, isSearching, ...(reason !== "" && { reason }) };
}

function afterRuntime(state: ViewState, { event, data }: AuditRecord, now: number): ViewState {
  const fields = (data ?? {}) as Readonly<Record<string, unknown>>;
  const doing = (text: string): ViewState => ({ ...state, activity: { text, since: now } });
  if (event === "script-start") {
    const command = commandText(fields);
    return { ...doing(`running ${command}`), command };
  }
  if (event === "changes-apply") {
    const { count } = fields;
    return typeof count === "number" ? doing(`keeping ${plural(count, "change")}`) : state;
  }
  if (event === "changes-end") return { ...state, changes: changeLines(fields) };
  if (event === "script-end") return { ...state, script: endedScript(fields) };
  if (event === "tool-call") {
    const tool = textOf(fields["tool"]);
    return { ...doing(`using ${tool}`), tool };
  }
  if (event === "approval-request") return doing(`asking for ${textOf(fields["tool"])}`);
  if (event === "policy-deny") return { ...state, isRefused: true };
  if (event === "approval-decision") {
    const { approved } = (fields["decision"] ?? {}) as { readonly approved?: unknown };
    return approved === true ? doing("getting ready") : { ...state, isRefused: true };
  }
  return state;
}

function endedScript(fields: Readonly<Record<string, unknown>>) {
  const { exitCode, durationMs, ok, timedOut, canceled, code } = fields;
  const failure = typeof exitCode === "number" ? `exit ${exitCode}` : textOf(code) || "cut off";
  const how = [
    ...(ok === true ? [] : [failure]),
    ...(timedOut === true ? ["out of time"] : []),
    ...(canceled === true ? ["stopped"] : []),
    ...(typeof durationMs === "number" ? [shortTime(durationMs)] : []),
  ];
  return { outcome: how.join(", "), ok: ok === true };
}

type Decided = Extract<AgentEvent, { event: "action-decide" }>["data"]["action"];

function doingText(action: Decided): string {
  switch (action.action) {
    case "select_skills":
      return `loading ${action.skills.map(({ name }) => name).join(", ")}`;
    case "load_resource":
      return `reading ${action.skill.name}/${action.relative_path}`;
    case "run_script":
      return `preparing ${action.skill.name}/${action.relative_path}`;
    case "use_tool":
      return `using ${action.tool}`;
    case "unload_skill":
      return `unloading ${action.skill.name}`;
    case "update_plan":
      return "planning";
    default:
      return "answering";
  }
}
