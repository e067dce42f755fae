import { basename, dirname } from "node:path";
import { type CaseDraft, Expectation } from "../case-draft.ts";
import { type CaseSource, report } from "../case-source.ts";
import type { DocumentPath } from "../document/data-document.ts";
import { type Fields, fieldsOf, idOf, isFields, listOf, textOf, textsOf } from "../fields.ts";
import { addGraders } from "./add-graders.ts";
import { addWazaGrader } from "./waza-grader.ts";
import { warnOfWazaInputs, wazaFiles } from "./waza-inputs.ts";
import { addToolPatterns } from "./graders.ts";
import { addConstraints } from "./limits.ts";
import { timeoutOf, trialsOf } from "./settings.ts";
import { addUnsupported, hasOnly } from "./unsupported.ts";

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
  if (input !== undefined && /\{\{-?\s*\.\w/.test(input)) {
    report(
      source,
      [...path, "inputs", "prompt"],
      "case-invalid",
      "a prompt with variables is not filled in here",
    );
    return [];
  }
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
  const ofSuite = { source: suite?.source ?? source, fields: config, path: ["config"] };
  const timeoutMs =
    timeoutOf({ source, fields: item, path }, "timeout_seconds") ??
    timeoutOf(ofSuite, "timeout_seconds");
  const trials = trialsOf(ofSuite, "trials_per_task");
  const files = wazaFiles(item, inputs, dirname(suite?.source.file ?? source.file));
  if (files === undefined) {
    report(
      source,
      [...path, "inputs", "files"],
      "case-invalid",
      "a file is a path, or a path with its content",
    );
    return [];
  }
  warnOfWazaInputs(source, item, inputs, path);
  return [
    {
      id: idOf(item, "id") ?? basename(source.file).replace(/\.[^.]+$/, ""),
      title: textOf(item, "name") ?? input,
      input,
      files,
      expected: expectation.expected,
      constraints: expectation.constraints,
      ...(trials !== undefined && { trials }),
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
  for (const outcome of listOf(expected, "outcomes")) {
    const { type, value, condition } = isFields(outcome) ? outcome : { type: outcome };
    const words = [type, value, condition].filter((one) => one !== undefined && one !== null);
    expectation.statements.push(words.map(plainText).join(" "));
  }
  const at = [...path, "expected"];
  addConstraints(expected["behavior"], { source, path: [...at, "behavior"] }, expectation);
  if (!addToolCalls(expected["tool_calls"], expectation)) {
    const text = "some of the tool calls that are expected cannot be checked here";
    addUnsupported(source, [...at, "tool_calls"], expectation, text);
  }
  const isKnown = hasOnly(expected, ...EXPECTED);
  if (!isKnown) {
    const text = `a part of what is expected cannot be checked here: ${unknownOf(expected).join(", ")}`;
    addUnsupported(source, at, expectation, text);
  }
  const places = [
    ...(suite === undefined ? [] : [{ source: suite.source, fields: suite.root, path: [] }]),
    { source, fields: item, path },
  ];
  const isWhole = places.map((place) => addGraders(place, expectation, addWazaGrader));
  return isWhole.every(Boolean) ? expectation : undefined;
}

const EXPECTED = [
  "should_trigger",
  "output_contains",
  "output_not_contains",
  "outcomes",
  "behavior",
  "tool_calls",
];

function unknownOf(expected: Fields): string[] {
  return Object.keys(expected).filter((name) => !EXPECTED.includes(name));
}

function plainText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** `{ required, forbidden }` of tools, or a list of those that are required. False when there is more to it. */
function addToolCalls(calls: unknown, expectation: Expectation): boolean {
  if (calls === undefined || calls === null) return true;
  const said = Array.isArray(calls) ? { required: calls as unknown[] } : calls;
  if (!isFields(said)) return false;
  return [
    addToolPatterns(expectation, listOf(said, "required", "required_tools"), ""),
    addToolPatterns(expectation, listOf(said, "forbidden", "forbidden_tools"), "never "),
    hasOnly(said, "required", "required_tools", "forbidden", "forbidden_tools"),
  ].every(Boolean);
}
