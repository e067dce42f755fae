import { textOf } from "./record-fields.ts";
import type { ViewLine } from "./view-state.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What of a tool's input says best what it is called for. */
const SUBJECTS = ["path", "query", "pattern", "command", "url"] as const;

/** Tools of the workspace and of the host. */
export function toolLines(event: string, fields: Fields): readonly ViewLine[] {
  if (event === "tool-call") {
    const subject = subjectOf(fields["input"]);
    return [{ label: "tool", text: `${textOf(fields["tool"])} ${subject}`.trim() }];
  }
  if (event === "workspace-write") {
    const label = fields["deleted"] === true ? "deleted" : "wrote";
    return [{ label, text: textOf(fields["path"]) }];
  }
  return [];
}

function subjectOf(input: unknown): string {
  const fields = (typeof input === "object" && input !== null ? input : {}) as Fields;
  const key = SUBJECTS.find((one) => typeof fields[one] === "string");
  return key === undefined ? "" : textOf(fields[key]);
}
