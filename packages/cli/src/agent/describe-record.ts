import type { AgentEvent } from "@skillwright/agent";
import { subjectOf } from "@skillwright/agent/internal";
import { plural, quoteNames } from "@skillwright/core/internal";
import type { AuditRecord } from "@skillwright/runtime";
import { changesOutcome } from "./view/change-lines.ts";
import { commandText, inputSubject } from "./view/record-fields.ts";

/** What happened, for a person: who or what, and the rest of the line. */
export interface DescribedRecord {
  readonly subject: string;
  readonly text: string;
  /** Worth a line while the run goes on. */
  readonly isProgress: boolean;
}

/** Undefined for what is only of use to a program. */
export function describeRecord(record: AuditRecord): DescribedRecord | undefined {
  const event = record as unknown as AgentEvent;
  switch (event.event) {
    case "run-start":
      return said("start", `${event.data.means.model}, ${event.data.catalog.skills.length} skills`);
    case "run-resume":
      return said("resume", [event.data.reason, event.data.approval ?? ""].join(" ").trim());
    case "model-response": {
      const { usage, error, calls, text: words } = event.data;
      const tokens = `${usage.inputTokens} + ${usage.outputTokens} tokens`;
      if (error !== undefined) return said("model", `failed: ${error.message}`);
      // Text without calls is the answer, which is shown with the run's end.
      const beside = calls.length > 0 ? words.trim().replaceAll(/\s+/g, " ") : "";
      return said("model", beside === "" ? tokens : `${tokens}: ${beside}`);
    }
    case "action-decide": {
      const { action } = event.data;
      const isCommand = action.action === "use_tool" && action.tool === "run_command";
      const command = isCommand ? `: ${inputSubject(action.input)}` : "";
      return said("decide", `${action.action} ${subjectOf(action)}${command}`.trim());
    }
    case "action-reject":
      return said("reject", event.data.problem);
    case "plan-update": {
      const { goal, steps } = event.data.plan;
      const shown = steps.map(({ title, status }) => `${MARKS[status]} ${title}`);
      return said("plan", [goal, ...shown].join("  "));
    }
    case "skill-route": {
      const { decision, candidates, margin, needed } = event.data;
      const names = candidates.map(({ name, score }) => `${name} ${score}`).join(", ");
      return said("route", `${decision}: ${names} (margin ${margin}, needed ${needed})`);
    }
    case "skill-activate": {
      const { name, source, by, changed } = event.data;
      const how = [source, by === "person" ? "by name" : "", changed ? "changed" : ""];
      return progress("skill", `${name} (${how.filter((part) => part !== "").join(", ")})`);
    }
    case "skill-drop":
      return progress("skill", `${event.data.name} is no longer active: ${event.data.reason}`);
    case "file-read": {
      const { skill, path, ok } = event.data;
      return progress("read", `${skill}/${path}${ok ? "" : " (failed)"}`);
    }
    case "child-start":
      return progress("child", `${event.data.skill} in ${event.data.runId}`);
    case "child-end":
      return progress("child", `${event.data.skill}: ${event.data.status}`);
    case "action-end":
      return event.data.ok ? undefined : said("failed", event.data.observation);
    case "changes-settle": {
      const { decision, principal, paths, count, conflicts = [], left } = event.data;
      if (left === undefined) return undefined;
      const names = count === 0 ? "nothing" : quoteNames(paths);
      const failed = conflicts.length > 0 ? `, ${conflicts.length} in conflict` : "";
      return said("decided", `${decision} by ${principal}: ${names}${failed}, ${left} left`);
    }
    case "run-end":
      return said("end", [event.data.status, event.data.reason ?? ""].join(" ").trim());
    default:
      return describeRuntimeRecord(record);
  }
}

/** Their success shows as what was read, written or run. */
const HAS_OWN_LINE = new Set([
  "read_file",
  "write_file",
  "edit_file",
  "delete_file",
  "run_command",
]);
const MARKS = { pending: "☐", in_progress: "◐", completed: "☑" } as const;

function describeRuntimeRecord({ event, data }: AuditRecord): DescribedRecord | undefined {
  const fields = (data ?? {}) as Readonly<Record<string, unknown>>;
  const { tool, reason, skill, script, exitCode, code } = fields;
  if (event === "script-start") return progress("run", commandText(fields));
  if (event === "script-end") {
    const outcome = typeof exitCode === "number" ? `exit ${exitCode}` : text(code ?? "cut off");
    return progress("script", `${text(skill)}/${text(script)} (${outcome})`);
  }
  if (event === "tool-call" && tool === "run_command") {
    return progress("run", inputSubject(fields["input"]));
  }
  if (event === "tool-end") {
    if (fields["ok"] !== false && HAS_OWN_LINE.has(text(tool))) return undefined;
    return progress("tool", `${text(tool)}${fields["ok"] === false ? " (failed)" : ""}`);
  }
  if (event === "workspace-read") return progress("read", text(fields["path"]));
  if (event === "workspace-write") {
    return progress(fields["deleted"] === true ? "deleted" : "wrote", text(fields["path"]));
  }
  if (event === "policy-deny") return progress("denied", `${text(tool)}: ${text(reason)}`);
  if (event === "approval-request") return said("asked", askedText(fields));
  if (event === "approval-decision") return said("approval", approvalText(fields["decision"]));
  if (event === "changes-request") return said("asked", askedText(fields));
  if (event === "changes-apply" && isMany(fields["count"])) {
    return progress("keeping", plural(fields["count"] as number, "change"));
  }
  if (event === "changes-end") return changesRecord(fields);
  if (event === "audit-recovered") return said("repaired", "the end of the record was cut off");
  return undefined;
}

const MAX_NAMES = 5;

function changesRecord(fields: Readonly<Record<string, unknown>>): DescribedRecord | undefined {
  const outcome = changesOutcome(fields);
  if (outcome === undefined) return undefined;
  const { conflicts, refused, counts, why } = outcome;
  const { kept, held, discarded } = counts;
  if (kept + held + discarded + conflicts.length + refused.length === 0) return undefined;
  const text = [
    `${kept} kept, ${held} held`,
    discarded > 0 ? `, ${discarded} discarded (${why})` : "",
    conflicts.length > 0 ? `, ${conflicts.length} in conflict` : "",
    refused.length > 0 ? `; scripts may not change ${shownNames(refused)}` : "",
  ].join("");
  return progress("changes", text);
}

/** More take longer than a second to keep. */
function isMany(count: unknown): boolean {
  return typeof count === "number" && count > 200;
}

function shownNames(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return names.slice(0, MAX_NAMES).join(", ") + more;
}

function askedText({ tool, id, skill, script }: Readonly<Record<string, unknown>>): string {
  const { name, digest } = (skill ?? {}) as Readonly<Record<string, unknown>>;
  const { path } = (script ?? {}) as Readonly<Record<string, unknown>>;
  const what = [name, path].map(text).filter((part) => part !== "");
  return [tool, what.join("/"), digest, id]
    .map(text)
    .filter((part) => part !== "")
    .join(" ");
}

function approvalText(decision: unknown): string {
  const { approved, pending, by, scope } = (decision ?? {}) as Record<string, unknown>;
  if (pending === true) return "waiting for a person";
  return `${approved === true ? `given (${text(scope)})` : "refused"} by ${text(by)}`;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function said(subject: string, line: string): DescribedRecord {
  return { subject, text: line, isProgress: false };
}

function progress(subject: string, line: string): DescribedRecord {
  return { subject, text: line, isProgress: true };
}
