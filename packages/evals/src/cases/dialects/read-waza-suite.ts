import { dirname, join } from "node:path";
import type { CaseDraft } from "../case-draft.ts";
import { type CaseSource, report } from "../case-source.ts";
import { type Fields, isFields, listOf } from "../fields.ts";
import { openCaseSource } from "../open-case-source.ts";
import { readWazaTask } from "./read-waza.ts";
import { findWazaTasks, isTaskPath, type WazaTasks } from "./waza-tasks.ts";

/** An `eval.yaml` with the tasks it names, or with tasks of its own. */
export function readWazaSuite(source: CaseSource): CaseDraft[] {
  const root = source.document.value as Fields;
  const suite = { source, root };
  if ("tasks_from" in root) {
    report(source, ["tasks_from"], "case-invalid", "tasks in a table are not read", "warning");
  }
  if ("hooks" in root) {
    const message = "hooks are not run: whatever they prepare is not there";
    report(source, ["hooks"], "case-invalid", message, "warning");
  }
  if ("tasks" in root && !Array.isArray(root["tasks"])) {
    report(source, ["tasks"], "case-invalid", "tasks are a list");
  }
  const tasks = listOf(root, "tasks");
  const below = tasks.every(isFields) ? undefined : findWazaTasks(dirname(source.file));
  for (const { path, why } of below?.left ?? []) {
    const message = `tasks are not looked for in ${path}: ${why}`;
    report(source, ["tasks"], "file-unreadable", message, "warning");
  }
  const read = new Set<string>();
  return tasks.flatMap((task, place) => {
    const path = ["tasks", place];
    if (isFields(task)) return readWazaTask(source, task, path, suite);
    if (typeof task !== "string" || below === undefined) {
      report(source, path, "case-invalid", "a task is one, or the path of one");
      return [];
    }
    return tasksAt(task, below).flatMap((file) => {
      if (read.has(file)) return [];
      read.add(file);
      const opened = openCaseSource(join(dirname(source.file), file), source);
      return opened === undefined ? [] : readWazaTask(opened, opened.document.value, [], suite);
    });

    function tasksAt(text: string, { files, links }: WazaTasks): readonly string[] {
      for (const link of links.filter((one) => isTaskPath(text, one))) {
        const message = `${link} is a link, and links are not followed: it is not read`;
        report(source, path, "file-unreadable", message, "warning");
      }
      const found = files.filter((file) => isTaskPath(text, file));
      if (found.length === 0) {
        report(source, path, "case-file-missing", `there is no task ${text}`);
      }
      return found;
    }
  });
}
