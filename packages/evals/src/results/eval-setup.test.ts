import { expect, it } from "vitest";
import { casesDigest, type EvalCase } from "../index.ts";

function caseAt(line: number, text = "the grader diff cannot be run here"): EvalCase {
  const unsupported = [{ text, file: `/${line}.yaml`, line }];
  return {
    id: "pdf/1",
    title: "a",
    input: "Go",
    files: [],
    expected: { sequence: [], output: [], statements: [], unsupported },
    constraints: { forbiddenTools: [], requiredTools: [] },
    tags: [],
    origin: { file: "/eval.yaml", line, dialect: "skillwright" },
  };
}

it("E-04 where a case or a grader stands is no part of what is asked, which grader it is is", () => {
  expect(casesDigest([caseAt(1)])).toBe(casesDigest([caseAt(9)]));
  expect(casesDigest([caseAt(1)])).not.toBe(casesDigest([caseAt(1, "the grader x")]));
});
