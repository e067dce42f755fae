import { basename, dirname } from "node:path";
import { type CaseDraft, type DraftFile, Expectation } from "../case-draft.ts";
import { type CaseSource, report } from "../case-source.ts";
import type { DocumentPath } from "../document/data-document.ts";
import {
  durationOf,
  type Fields,
  idOf,
  isFields,
  listOf,
  numberOf,
  textOf,
  textsOf,
} from "../fields.ts";
import { mockProblem } from "../mock-problem.ts";
import { readAssertion } from "../read-assertion.ts";
import { addLimits } from "./limits.ts";

export const EVAL_LISTS = ["evals", "cases", "tests", "test_cases", "items"];
const PROMPTS = ["prompt", "input", "query", "task", "question", "instruction", "user_prompt"];
const ASSERTIONS = ["expectations", "assertions", "checks", "criteria", "assertion_list"];
const OUTCOMES = [
  "expected_output",
  "expected_outcome",
  "expected_result",
  "expected",
  "success_criteria",
  "ground_truth",
];

/** `evals/evals.json` in either dialect, and what our format adds to it. */
export function readEvalsJson(source: CaseSource): CaseDraft[] {
  const root = source.document.value;
  if (!isFields(root)) return readAll(root as readonly unknown[], [], source, undefined);
  const named = textOf(root, "skill_name", "skill", "skillName");
  const list = EVAL_LISTS.find((name) => Array.isArray(root[name]));
  // A file may be one case.
  if (list === undefined) return readItem(root, 0, [], source, named);
  return readAll(listOf(root, list), [list], source, named);
}

function readAll(
  items: readonly unknown[],
  path: DocumentPath,
  source: CaseSource,
  named: string | undefined,
): CaseDraft[] {
  return items.flatMap((item, place) => readItem(item, place, [...path, place], source, named));
}

function readItem(
  item: unknown,
  place: number,
  path: DocumentPath,
  source: CaseSource,
  named: string | undefined,
): CaseDraft[] {
  const input = isFields(item) ? textOf(item, ...PROMPTS) : undefined;
  if (!isFields(item) || input === undefined) {
    report(source, path, "case-invalid", "a case needs a prompt");
    return [];
  }
  const skill =
    textOf(item, "skill", "skill_name") ?? textsOf(item, "skills")[0] ?? named ?? source.skill;
  const expectation = expectationOf(item, path, source, skill);
  const timeout = durationOf(item["timeout"]);
  const trials = numberOf(item, "trials", "runs");
  const mock = readMock(item, path, source);
  if (expectation === undefined || mock === false) return [];
  return [
    {
      id: idOf(item, "id", "eval_id") ?? textOf(item, "name", "eval_name") ?? `case-${place + 1}`,
      title: textOf(item, "title", "name", "eval_name") ?? input,
      input,
      files: filesOf(item, source),
      expected: expectation.expected,
      constraints: expectation.constraints,
      ...(mock && { mock }),
      ...(trials !== undefined && { trials: Math.max(1, Math.min(1000, Math.trunc(trials))) }),
      ...(timeout !== undefined && { timeoutMs: timeout }),
      tags: [...textsOf(item, "tags"), ...textsOf(item, "category")],
      dialect: "evals-json",
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
  skill: string | undefined,
): Expectation | undefined {
  const expectation = new Expectation();
  const trigger = item["should_trigger"] ?? item["expect_activation"];
  if (trigger === true && skill !== undefined) expectation.use(skill);
  else if (trigger === false && skill !== undefined) expectation.avoid(skill);
  else if (typeof trigger === "string") expectation.use(trigger);
  expectation.use(...textsOf(item, "expected_skills", "expected_skill"));
  expectation.avoid(...textsOf(item, "forbidden_skills"));
  expectation.saysSkills = expectation.used.size + expectation.unused.size > 0;
  expectation.sequence.push(...textsOf(item, "sequence", "expected_sequence"));
  const isWhole = ASSERTIONS.map((name) => addAssertions(item, name, path, source, expectation));
  if (!isWhole.every(Boolean)) return undefined;
  expectation.statements.push(
    ...textsOf(item, "expected_behavior", "expected_behaviors", "rubric"),
  );
  // What it should be like is a statement only where nothing more exact is said.
  if (expectation.output.length + expectation.statements.length === 0) {
    expectation.statements.push(...textsOf(item, ...OUTCOMES));
  }
  addLimits(item["constraints"], expectation);
  return expectation;
}

/** False when one of them cannot be read: a case that checks less is another one. */
function addAssertions(
  item: Fields,
  name: string,
  path: DocumentPath,
  source: CaseSource,
  expectation: Expectation,
): boolean {
  const list = item[name] ?? [];
  if (!Array.isArray(list)) {
    report(source, [...path, name], "case-invalid", `${name}: expected a list`);
    return false;
  }
  const read = list.map((assertion: unknown, i) => {
    const problem = readAssertion(assertion, expectation);
    if (problem === undefined) return true;
    report(source, [...path, name, i], "case-invalid", `${name}.${i}: ${problem}`);
    return false;
  });
  return read.every(Boolean);
}

/** False when there is one that cannot be read. */
function readMock(
  { mock }: Fields,
  path: DocumentPath,
  source: CaseSource,
): CaseDraft["mock"] | false {
  if (mock === undefined || mock === null) return undefined;
  const actions = isFields(mock) ? listOf(mock, "actions") : [];
  const wrong = mockProblem(actions);
  if (wrong === undefined && actions.length > 0) {
    return { actions: actions as readonly (string | Fields)[] };
  }
  const inner = ["mock", "actions", ...(wrong?.path ?? [])];
  const message = wrong?.message ?? "mock.actions: expected a list of actions";
  report(source, [...path, ...inner], "case-invalid", message);
  return false;
}

/** Relative to the skill, whose `evals` folder the file lies in. */
function filesOf(item: Fields, source: CaseSource): DraftFile[] {
  const folder = dirname(source.file);
  const base = basename(folder) === "evals" ? dirname(folder) : folder;
  return listOf(item, "files", "input_files").flatMap((file): DraftFile[] => {
    if (typeof file === "string") return [{ from: file, base }];
    if (!isFields(file)) return [];
    const path = textOf(file, "path", "name", "dest", "filename");
    const from = textOf(file, "from", "source", "src") ?? path;
    const content = typeof file["content"] === "string" ? file["content"] : undefined;
    if (content !== undefined && path !== undefined) return [{ path, content, base }];
    return from === undefined ? [] : [{ from, ...(path !== undefined && { path }), base }];
  });
}
