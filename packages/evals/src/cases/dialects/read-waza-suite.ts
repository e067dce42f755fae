import { type Dirent, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { matchGlob } from "../../sequence/match-step.ts";
import type { CaseDraft } from "../case-draft.ts";
import { type CaseSource, report } from "../case-source.ts";
import { type Fields, isFields, listOf } from "../fields.ts";
import { openCaseSource } from "../open-case-source.ts";
import { readWazaTask } from "./read-waza.ts";

const MAX_DEPTH = 4;
const MAX_TASKS = 10_000;

/** An `eval.yaml` with the tasks it names, or with tasks of its own. */
export function readWazaSuite(source: CaseSource): CaseDraft[] {
  const root = source.document.value as Fields;
  const suite = { source, root };
  if ("tasks_from" in root) {
    report(source, ["tasks_from"], "case-invalid", "tasks in a table are not read", "warning");
  }
  const below = filesBelow(dirname(source.file));
  const read = new Set<string>();
  return listOf(root, "tasks").flatMap((task, place) => {
    const path = ["tasks", place];
    if (isFields(task)) return readWazaTask(source, task, path, suite);
    const pattern = typeof task === "string" ? task.replace(/^\.\//, "") : "";
    const found = below.filter((file) => matchGlob(pattern.replaceAll("**/", "*"), file));
    if (found.length === 0) {
      report(source, path, "case-file-missing", `there is no task ${pattern}`);
    }
    return found.flatMap((file) => {
      if (read.has(file)) return [];
      read.add(file);
      const task = openCaseSource(join(dirname(source.file), file), source);
      return task === undefined ? [] : readWazaTask(task, task.document.value, [], suite);
    });
  });
}

/** With `/`, sorted, without links: what lies elsewhere is not named. */
function filesBelow(folder: string, prefix = "", depth = 0): string[] {
  const entries = entriesOf(join(folder, prefix)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const files = entries.flatMap((entry) => {
    const path = `${prefix}${entry.name}`;
    if (entry.isDirectory())
      return depth < MAX_DEPTH ? filesBelow(folder, `${path}/`, depth + 1) : [];
    return entry.isFile() && /\.ya?ml$/i.test(entry.name) ? [path] : [];
  });
  return files.slice(0, MAX_TASKS);
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
