import { type Say, toolAnswer, unusedAnswer } from "./answers.ts";
import { attachedFiles } from "./attached-files.ts";
import type { OfflineView } from "./offline-view.ts";

export const READ_FILE = "read_file";
const MAX_ATTACHED = 5;

/** What was attached and not read yet, when one of the attachments was read for the request. */
export function unreadOf(view: OfflineView): readonly string[] {
  const attached = attachedFiles(view).slice(0, MAX_ATTACHED);
  const read = view.steps.flatMap(({ action }) => pathRead(action) ?? []);
  const isAbout = read.every((path) => attached.includes(path));
  return isAbout ? attached.filter((path) => !read.includes(path)) : [];
}

/** What the last tool gave; with several files that were read, each under its name. */
export function answerFromTools(view: OfflineView, name: string, say: Say): string {
  const { steps } = view;
  const last = steps.at(-1);
  const reads = steps.filter(({ action }) => pathRead(action) !== undefined);
  const answers =
    reads.length > 1
      ? reads.map((step) => {
          const told = toolAnswer(say, name, step.ok, step.observation);
          return `${pathRead(step.action) ?? ""}:\n\n${told}`;
        })
      : [toolAnswer(say, name, last?.ok === true, last?.observation ?? "")];
  const read = new Set(reads.flatMap(({ action }) => pathRead(action) ?? []));
  const unused = read.size === 0 ? [] : attachedFiles(view).filter((path) => !read.has(path));
  return [...answers, ...(unused.length > 0 ? [unusedAnswer(say, unused)] : [])].join("\n\n");
}

function pathRead(action: Readonly<Record<string, unknown>>): string | undefined {
  const input = toolOf(action) === READ_FILE ? action["input"] : undefined;
  if (typeof input !== "object" || input === null) return undefined;
  const path: unknown = Reflect.get(input, "path");
  return typeof path === "string" ? path : undefined;
}

export function toolOf(action: Readonly<Record<string, unknown>>): string | undefined {
  const tool = action["tool"];
  return action["action"] === "use_tool" && typeof tool === "string" ? tool : undefined;
}
