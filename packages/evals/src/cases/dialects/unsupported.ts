import type { Expectation } from "../case-draft.ts";
import { type CaseSource, report } from "../case-source.ts";
import type { CaseProblemCode } from "../case-problem.ts";
import type { DocumentPath } from "../document/data-document.ts";
import type { Fields } from "../fields.ts";

/** What cannot be checked here is a warning, and keeps the case from passing. */
export function addUnsupported(
  source: CaseSource,
  path: DocumentPath,
  expectation: Expectation,
  text: string,
): void {
  const { file, document } = source;
  expectation.unsupported.push({ text, file, line: document.lineOf(path) });
  reportOnce(source, path, "grader-unsupported", text, "warning");
}

/** What stands in a suite is read for every case, and is told of once. */
export function reportOnce(
  source: CaseSource,
  path: DocumentPath,
  code: CaseProblemCode,
  message: string,
  severity: "error" | "warning",
): void {
  const line = source.document.lineOf(path);
  const isTold = source.problems.some(
    (one) => one.file === source.file && one.line === line && one.message === message,
  );
  if (!isTold) report(source, path, code, message, severity);
}

/** What says nothing about what is checked. */
const PLAIN = new Set([
  "type",
  "name",
  "id",
  "description",
  "comment",
  "weight",
  "config",
  "tags",
  "kind",
]);

/** Whether nothing but this is said: what is not known could turn the rest round. */
export function hasOnly(fields: Fields, ...names: readonly string[]): boolean {
  return Object.keys(fields).every((name) => PLAIN.has(name) || names.includes(name));
}
