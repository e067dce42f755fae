import { basename, dirname, join } from "node:path";
import { type CaseDraft, type DraftFile, Expectation } from "../case-draft.ts";
import { type CaseSource, report } from "../case-source.ts";
import type { DocumentPath } from "../document/data-document.ts";
import {
  durationOf,
  type Fields,
  fieldsOf,
  idOf,
  isFields,
  listOf,
  numberOf,
  textOf,
  textsOf,
} from "../fields.ts";
import { addGraders } from "./add-graders.ts";
import { addWazaGrader } from "./waza-grader.ts";
import { addLimits } from "./limits.ts";

export interface WazaSuite {
  readonly source: CaseSource;
  readonly root: Fields;
}

/** One task file, or the tasks that stand in the suite itself. */
export function readWazaTask(
  source: CaseSource,
  item: unknown,
  path: DocumentPath,
  suite: WazaSuite | undefined,
): CaseDraft[] {
  if (isFields(item) && item["enabled"] === false) return [];
  const inputs = isFields(item) ? fieldsOf(item, "inputs") : {};
  const input = textOf(inputs, "prompt");
  if (!isFields(item) || input === undefined) {
    const isFile = textOf(inputs, "prompt_file") !== undefined;
    const message = isFile
      ? "a prompt in a file of its own is not read"
      : "a task needs inputs.prompt";
    report(source, [...path, "inputs"], "case-invalid", message);
    return [];
  }
  const root = suite?.root ?? {};
  const config = fieldsOf(root, "config");
  const skill = textOf(root, "skill") ?? source.skill;
  const expectation = expectationOf(item, path, source, suite, skill);
  if (expectation === undefined) return [];
  const seconds = numberOf(item, "timeout_seconds") ?? numberOf(config, "timeout_seconds");
  const timeoutMs = seconds === undefined ? undefined : durationOf(seconds);
  const trials = numberOf(config, "trials_per_task");
  return [
    {
      id: idOf(item, "id") ?? basename(source.file).replace(/\.[^.]+$/, ""),
      title: textOf(item, "name") ?? input,
      input,
      files: filesOf(item, inputs, dirname(suite?.source.file ?? source.file)),
      expected: expectation.expected,
      constraints: expectation.constraints,
      ...(trials !== undefined && trials >= 1 && { trials: Math.trunc(trials) }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      tags: [...textsOf(item, "tags")],
      dialect: "waza",
      programs: dirname(suite?.source.file ?? source.file),
      ...(skill !== undefined && { skill }),
      source,
      path,
    },
  ];
}

function expectationOf(
  item: Fields,
  path: DocumentPath,
  source: CaseSource,
  suite: WazaSuite | undefined,
  skill: string | undefined,
): Expectation | undefined {
  const expectation = new Expectation();
  const expected = fieldsOf(item, "expected");
  const trigger = expected["should_trigger"];
  if (skill !== undefined && trigger === true) expectation.use(skill);
  if (skill !== undefined && trigger === false) expectation.avoid(skill);
  for (const value of textsOf(expected, "output_contains")) {
    expectation.output.push({ type: "contains", value, ignoreCase: true });
  }
  for (const value of textsOf(expected, "output_not_contains")) {
    expectation.output.push({ type: "contains", value, ignoreCase: true, not: true });
  }
  for (const outcome of listOf(expected, "outcomes").filter(isFields)) {
    const text = [textOf(outcome, "type"), outcome["value"], textOf(outcome, "condition")];
    expectation.statements.push(
      text
        .filter((one) => one !== undefined)
        .map(String)
        .join(" "),
    );
  }
  addLimits(expected["behavior"], expectation);
  addLimits(toolCalls(expected), expectation);
  const places = [
    ...(suite === undefined ? [] : [{ source: suite.source, fields: suite.root, path: [] }]),
    { source, fields: item, path },
  ];
  const isWhole = places.map((place) => addGraders(place, expectation, addWazaGrader));
  return isWhole.every(Boolean) ? expectation : undefined;
}

/** `{ required, forbidden }` of tools, under the names that limits have. */
function toolCalls(expected: Fields): Fields {
  const calls = fieldsOf(expected, "tool_calls");
  return {
    required_tools: textsOf(calls, "required", "required_tools"),
    forbidden_tools: textsOf(calls, "forbidden", "forbidden_tools"),
  };
}

/** Relative to the fixtures, which stand beside the suite unless it is said where. */
function filesOf(item: Fields, inputs: Fields, folder: string): DraftFile[] {
  const base = join(folder, textOf(item, "context_dir") ?? "fixtures");
  return listOf(inputs, "files").flatMap((file): DraftFile[] => {
    if (typeof file === "string") return [{ from: file, path: file, base }];
    if (!isFields(file)) return [];
    const path = textOf(file, "path");
    const content = typeof file["content"] === "string" ? file["content"] : undefined;
    if (path === undefined) return [];
    return [content === undefined ? { path, from: path, base } : { path, content, base }];
  });
}
