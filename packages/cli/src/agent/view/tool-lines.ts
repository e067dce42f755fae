import { inputSubject, textOf } from "./record-fields.ts";
import type { ViewLine } from "./view-state.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Tools of the workspace and of the host. */
export function toolLines(event: string, fields: Fields): readonly ViewLine[] {
  if (event === "tool-call") {
    const subject = inputSubject(fields["input"]);
    return [{ label: "tool", text: `${textOf(fields["tool"])} ${subject}`.trim() }];
  }
  if (event === "workspace-write") {
    const label = fields["deleted"] === true ? "deleted" : "wrote";
    return [{ label, text: textOf(fields["path"]) }];
  }
  return [];
}
