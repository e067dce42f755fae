import { basename, dirname } from "node:path";
import type { DraftFile, Expectation } from "../case-draft.ts";
import { type CaseSource, report } from "../case-source.ts";
import type { DocumentPath } from "../document/data-document.ts";
import { type Fields, fieldOf, fieldsOf, textOf, textsOf } from "../fields.ts";
import { readAssertion } from "../read-assertion.ts";
import { addConstraints, addLimits } from "./limits.ts";
import { FILES_WANTED, readFiles } from "./read-files.ts";

const ASSERTIONS = ["expectations", "assertions", "checks", "criteria", "assertion_list"];

/**
 * All that a case says beside what it should trigger; `outcomes` are names for what it should be like. False when
 * something of it cannot be read.
 */
export function addCaseChecks(
  item: Fields,
  path: DocumentPath,
  source: CaseSource,
  expectation: Expectation,
  outcomes: readonly string[],
): boolean {
  expectation.sequence.push(...textsOf(item, "sequence", "expected_sequence"));
  const script = textOf(item, "expected_script");
  if (script !== undefined) expectation.sequence.push(`run ${JSON.stringify(`*${script}`)}`);
  const isWhole = ASSERTIONS.map((name) => addAssertions(item, name, path, source, expectation));
  if (!isWhole.every(Boolean)) return false;
  expectation.statements.push(
    ...textsOf(item, "expected_behavior", "expected_behaviors", "rubric"),
  );
  // What it should be like is a statement only where nothing more exact is said.
  const isExact = expectation.output.length + expectation.statements.length > 0;
  const wanted = outcomes.find((name) => item[name] !== undefined && item[name] !== null);
  if (!isExact && wanted !== undefined) {
    const texts = outcomeTexts(item[wanted]);
    if (texts === undefined) {
      const message = `${wanted}: expected a text; in our own format the request is called input`;
      report(source, [...path, wanted], "case-invalid", message);
      return false;
    }
    expectation.statements.push(...texts);
  }
  addLimits(item, expectation);
  addConstraints(item["constraints"], { source, path: [...path, "constraints"] }, expectation);
  return true;
}

/** Undefined for what nobody could judge a text by. */
function outcomeTexts(value: unknown): string[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isPlain = list.every((one) => ["string", "number", "boolean"].includes(typeof one));
  return isPlain ? list.map(String).filter((text) => text.trim() !== "") : undefined;
}

/** False when one of them cannot be read: a case that checks less is another one. */
function addAssertions(
  item: Fields,
  name: string,
  path: DocumentPath,
  source: CaseSource,
  expectation: Expectation,
): boolean {
  const given = item[name] ?? [];
  const list = typeof given === "string" ? [given] : given;
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

/** Relative to the skill, whose `evals` folder the file lies in. Undefined when they cannot be read. */
export function caseFiles(
  item: Fields,
  path: DocumentPath,
  source: CaseSource,
): DraftFile[] | undefined {
  const folder = dirname(source.file);
  const base = basename(folder) === "evals" ? dirname(folder) : folder;
  const setup = fieldsOf(item, "setup");
  for (const name of Object.keys(setup).filter((one) => one !== "files")) {
    const message = `setup.${name} is not prepared here`;
    report(source, [...path, "setup", name], "case-invalid", message, "warning");
  }
  const given = [fieldOf(item, ["files", "input_files"]), setup["files"]];
  const files = given.map((some) => readFiles(some, base));
  if (files.every((some) => some !== undefined)) return files.flat();
  report(source, [...path, "files"], "case-invalid", FILES_WANTED);
  return undefined;
}
