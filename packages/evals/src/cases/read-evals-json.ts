import { basename, dirname } from "node:path";
import { type CaseSource, report } from "./case-source.ts";
import { type CaseDraft, Expectation } from "./expectation.ts";
import { type Fields, idOf, isFields, isRemark, textOf, textsOf, wordList } from "./fields.ts";
import { readAssertion } from "./read-assertion.ts";
import type { DocumentPath } from "./read-document.ts";

/** Fields of a case that are read. */
const KNOWN = new Set(
  wordList(`id eval_id prompt title name eval_name skill_name expected_output should_trigger files
  expectations assertions tags`),
);
/**
 * `evals/evals.json` in both dialects: with `expectations`, as skill-creator writes it, and with `assertions`, as
 * agentskills.io does. What else a case says stays unjudged.
 */
export function readEvalsJson(source: CaseSource): CaseDraft[] {
  const root = source.document.value;
  if (!isFields(root)) return readAll(root as readonly unknown[], [], source, undefined);
  for (const name of Object.keys(root)) {
    if (name === "evals" || KNOWN.has(name) || isRemark(name)) continue;
    report(source, [name], "case-invalid", `${name} is not read`, "warning");
  }
  const named = textOf(root, "skill_name");
  return readAll(root["evals"] as readonly unknown[], ["evals"], source, named);
}

function readAll(
  items: readonly unknown[],
  path: DocumentPath,
  source: CaseSource,
  named: string | undefined,
): CaseDraft[] {
  return items.flatMap((item, place) => {
    const draft = readItem(item, place, [...path, place], source, named);
    return draft === undefined ? [] : [draft];
  });
}

function readItem(
  item: unknown,
  place: number,
  path: DocumentPath,
  source: CaseSource,
  named: string | undefined,
): CaseDraft | undefined {
  const refuse = (at: DocumentPath, message: string): undefined => {
    report(source, [...path, ...at], "case-invalid", message);
  };
  const input = isFields(item) ? textOf(item, "prompt") : undefined;
  if (!isFields(item) || input === undefined) return refuse([], "a case needs a prompt");
  const skill = textOf(item, "skill_name") ?? named ?? source.skill;
  const { files = [], should_trigger: trigger = null } = item;
  if (
    files !== null &&
    !(Array.isArray(files) && files.every((file) => typeof file === "string"))
  ) {
    return refuse(["files"], "files: expected a list of paths");
  }
  if (trigger !== null && typeof trigger !== "boolean") {
    return refuse(["should_trigger"], "should_trigger: expected true or false");
  }
  if (trigger !== null && skill === undefined) {
    return refuse(["should_trigger"], "should_trigger: name the skill in skill_name");
  }
  const expectation = new Expectation();
  if (trigger !== null && skill !== undefined) expectation[trigger ? "use" : "avoid"](skill);
  const isWhole = ["expectations", "assertions"].map((name) =>
    addAssertions(item, name, path, source, expectation),
  );
  if (!isWhole.every(Boolean)) return undefined;
  const outcome = textOf(item, "expected_output");
  // It describes the result as a whole. Where the case has assertions, they say what counts.
  const isExact = expectation.output.length + expectation.statements.length > 0;
  if (outcome !== undefined && !isExact) expectation.statements.push(outcome);
  for (const name of Object.keys(item)) {
    if (KNOWN.has(name) || isRemark(name) || isEmpty(item[name])) continue;
    addUnsupported(`${name} is not known in evals.json`, [...path, name], source, expectation);
  }
  const title = textOf(item, "title", "name", "eval_name");
  // Paths are relative to the skill, in whose `evals` folder the file is.
  const folder = dirname(source.file);
  const base = basename(folder) === "evals" ? dirname(folder) : folder;
  return {
    id: idOf(item, "id", "eval_id") ?? title ?? `case-${place + 1}`,
    title: title ?? input,
    input,
    files: ((files ?? []) as readonly string[]).map((from) => ({ from, base })),
    expected: expectation.expected,
    constraints: expectation.constraints,
    tags: textsOf(item, "tags"),
    dialect: "evals-json",
    ...(skill !== undefined && { skill }),
    source,
    path,
  };
}

/** False if one of them is invalid: a case that checks less is another case. */
function addAssertions(
  item: Fields,
  name: string,
  path: DocumentPath,
  source: CaseSource,
  expectation: Expectation,
): boolean {
  const given = item[name] ?? [];
  if (!Array.isArray(given)) {
    report(source, [...path, name], "case-invalid", `${name}: expected a list`);
    return false;
  }
  const read = given.map((assertion: unknown, i) => {
    const at = [...path, name, i];
    const reading = readAssertion(assertion, expectation);
    if (reading.kind === "read") return true;
    const message = `${name}.${i}: ${reading.message}`;
    if (reading.kind === "invalid") report(source, at, "case-invalid", message);
    else addUnsupported(message, at, source, expectation);
    return reading.kind === "unsupported";
  });
  return read.every(Boolean);
}

function addUnsupported(
  text: string,
  path: DocumentPath,
  source: CaseSource,
  expectation: Expectation,
): void {
  const { file, document } = source;
  expectation.unsupported.push({ text, file, line: document.lineOf(path) });
  report(source, path, "grader-unsupported", `${text}: the case stays unjudged`, "warning");
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.keys(value).length === 0;
}
