import type { AgentEvent } from "@skillwright/agent";
import type { Attachment, RunCatalogSkill } from "@skillwright/agent/internal";
import type { AuditRecord } from "@skillwright/runtime";
import { counted, shortCount } from "./amounts.ts";
import { withoutChanges } from "./change-lines.ts";
import { textOf } from "./record-fields.ts";
import { toolLines } from "./tool-lines.ts";
import type { ViewLine, ViewState } from "./view-state.ts";

const MAX_NAMES = 12;
const SEARCH = "search_skills";

/** What a record says that a person wants to keep. */
export function linesOf(state: ViewState, record: AuditRecord): readonly ViewLine[] {
  const event = record as unknown as AgentEvent;
  switch (event.event) {
    case "run-start": {
      const { catalog, attachments = [], skill, conversation } = event.data;
      // A child has the one skill that it works through.
      if (skill !== undefined) return [];
      const { skills, omitted } = catalog;
      return [
        ...attachments.map((attachment) => ({
          label: "file",
          text: `${attachment.path} (${sizeText(attachment)})`,
        })),
        // A chat shows this with its first message only.
        ...(conversation === undefined || conversation.exchanges.length === 0
          ? [{ label: "skills", text: consideredText(skills, omitted) }]
          : []),
      ];
    }
    case "run-resume":
      return state.depth > 0 ? [] : [{ label: "resumed", text: resumedText(event.data.reason) }];
    case "model-response": {
      const { error, text, calls } = event.data;
      if (error !== undefined) return [{ label: "model", text: error.message, tone: "bad" }];
      // Text without calls is the answer, which is printed at the end.
      return calls.length === 0 || isJson(text) ? [] : [{ label: "says", text: text.trim() }];
    }
    case "action-decide":
      return searchLines(event.data.action);
    case "action-reject":
      return [{ label: "unclear", text: event.data.problem, tone: "bad" }];
    case "skill-activate": {
      const { name, source, by, changed, carried, tokens } = event.data;
      // Nothing new for who saw the request before.
      if (carried === true && changed !== true) return [];
      const how = [
        source,
        ...(by === "person" ? ["by name"] : []),
        ...(changed ? ["changed"] : []),
        `${shortCount(tokens)} tokens`,
      ];
      const remark = state.reason === undefined ? undefined : { remark: state.reason };
      return [{ label: "chose", text: `${name} (${how.join(", ")})`, tone: "strong", ...remark }];
    }
    case "skill-drop":
      return [
        { label: "skill", text: `${event.data.name} is no longer active: ${event.data.reason}` },
      ];
    case "file-read": {
      const { skill, path, ok } = event.data;
      return [{ label: "read", text: `${skill}/${path}`, ...(!ok && { tone: "bad" as const }) }];
    }
    case "child-start":
      return [{ label: "apart", text: `${event.data.skill} runs in a child run` }];
    case "child-end":
      return [{ label: "apart", text: `${event.data.skill}: ${event.data.status}` }];
    case "action-end":
      return [...endedLines(state, event.data), ...(state.changes ?? [])];
    case "run-end":
      return [...scriptLines(state), ...(state.changes ?? [])];
    default:
      return runtimeLines(record);
  }
}

/** Nothing, or a decision written as JSON, which is for the program. */
export function isJson(text: string): boolean {
  return /^\s*(?:$|[{[`])/.test(text);
}

function sizeText({ bytes, text, truncated, image }: Attachment): string {
  if (image !== undefined) return `${shortCount(bytes)} bytes, image`;
  if (text === undefined) return `${shortCount(bytes)} bytes, no text`;
  return truncated ? `${shortCount(bytes)} bytes, its beginning` : `${shortCount(bytes)} bytes`;
}

function consideredText(skills: readonly RunCatalogSkill[], omitted: number): string {
  const all = skills.length + omitted;
  if (all === 0) return "none";
  const names = skills.slice(0, MAX_NAMES).map(({ name }) => name);
  const more = all - names.length;
  return `${all} to choose from: ${names.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}

function resumedText(reason: "approval" | "crash" | "person"): string {
  if (reason === "approval") return "with the approval";
  return reason === "crash" ? "after it was cut off" : "after it was stopped";
}

type Decided = Extract<AgentEvent, { event: "action-decide" }>["data"]["action"];

/** What else is decided shows when it is done. */
function searchLines(action: Decided): readonly ViewLine[] {
  if (action.action !== "use_tool" || action.tool !== SEARCH) return [];
  return [{ label: "search", text: textOf(action.input["query"]) }];
}

type Ended = Extract<AgentEvent, { event: "action-end" }>["data"];

function endedLines(state: ViewState, ended: Ended): readonly ViewLine[] {
  const { script, tool, isRefused, isSearching, changes } = state;
  const { ok, output } = ended;
  const observation = changes === undefined ? ended.observation : withoutChanges(ended.observation);
  if (script !== undefined) {
    const more = output === undefined ? "" : `, ${counted(output.bytes, "byte")}`;
    const from = script.ok ? "start" : "end";
    return scriptLines(state, more).map((line) => ({
      ...line,
      ...(observation.trim() !== "" && { output: { text: observation, from } }),
    }));
  }
  if (ok && isSearching) {
    return [{ label: "found", text: "", output: { text: observation, from: "start" } }];
  }
  if (tool === "run_command" && !isRefused) {
    const [first = "", ...rest] = observation.trimEnd().split("\n");
    if (ok && rest.length === 0) return [{ label: "output", text: first }];
    if (ok) return [{ label: "output", text: "", output: { text: observation, from: "start" } }];
    const more = rest.length > 0 && { output: { text: rest.join("\n"), from: "end" as const } };
    return [{ label: "failed", text: first, tone: "bad", ...more }];
  }
  if (ok || isRefused) return [];
  return [{ label: "failed", text: observation, tone: "bad" }];
}

/** Also of a run that was stopped before anybody could look at the output. */
function scriptLines({ command = "", script }: ViewState, more = ""): readonly ViewLine[] {
  if (script === undefined) return [];
  const { outcome, ok } = script;
  const text = `${command} (${outcome}${more})`;
  return [{ label: "script", text, ...(!ok && { tone: "bad" as const }) }];
}

function runtimeLines({ event, data }: AuditRecord): readonly ViewLine[] {
  const fields = (data ?? {}) as Readonly<Record<string, unknown>>;
  if (event === "policy-deny") {
    const text = `${textOf(fields["tool"])}: ${textOf(fields["reason"])}`;
    return [{ label: "denied", text, tone: "bad" }];
  }
  if (event === "approval-decision") return approvalLines(fields["decision"]);
  return toolLines(event, fields);
}

function approvalLines(decision: unknown): readonly ViewLine[] {
  const { approved, pending, by, reason } = (decision ?? {}) as Readonly<Record<string, unknown>>;
  // The end of the run says what it waits for.
  if (pending === true) return [];
  if (approved !== true) return [{ label: "refused", text: "by you", tone: "bad" }];
  if (by === "flag") return [{ label: "allowed", text: `by ${textOf(reason) || "--yes"}` }];
  return [{ label: "allowed", text: by === "person" ? "by you" : "by an earlier approval" }];
}
