import { type CaseDraft, Expectation } from "../case-draft.ts";
import { type CaseSource, report } from "../case-source.ts";
import type { DocumentPath } from "../document/data-document.ts";
import { type Fields, idOf, isFields, listOf, textOf, textsOf } from "../fields.ts";
import { mockProblem } from "../mock-problem.ts";
import { addCaseChecks, caseFiles } from "./case-checks.ts";
import { holdsRequests } from "./holds-requests.ts";
import { timeoutOf, trialsOf } from "./settings.ts";
import { addSureLabel } from "./trigger-label.ts";

export const EVAL_LISTS = ["evals", "cases", "tests", "test_cases", "items", "scenarios"];
const PROMPTS = ["prompt", "input", "query", "task", "question", "instruction", "user_prompt"];
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
  const lists = EVAL_LISTS.filter((name) => Array.isArray(root[name]));
  // A file may be one case.
  if (lists.length === 0) return readItem(root, 0, [], source, named);
  for (const [name, value] of Object.entries(root)) {
    if (lists.includes(name) || !holdsRequests(name, value)) continue;
    const message = `${name} is not read: put it into a file of its own`;
    report(source, [name], "case-invalid", message, "warning");
  }
  return lists.flatMap((list) => readAll(listOf(root, list), [list], source, named));
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
  const settings = { source, fields: item, path };
  const timeout = timeoutOf(settings, "timeout");
  const trials = trialsOf(settings, "trials", "runs");
  const mock = readMock(item, path, source);
  const files = caseFiles(item, path, source);
  if (expectation === undefined || mock === false || files === undefined) return [];
  return [
    {
      id: idOf(item, "id", "eval_id") ?? textOf(item, "name", "eval_name") ?? `case-${place + 1}`,
      title: textOf(item, "title", "name", "eval_name") ?? input,
      input,
      files,
      expected: expectation.expected,
      constraints: expectation.constraints,
      ...(mock && { mock }),
      ...(trials !== undefined && { trials }),
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
  const problem = addSureLabel(item, skill, expectation);
  if (problem !== undefined) {
    report(source, path, "case-invalid", problem);
    return undefined;
  }
  return addCaseChecks(item, path, source, expectation, OUTCOMES) ? expectation : undefined;
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
