import type { EvalCase } from "@skillwright/evals";
import { expect, it } from "vitest";
import { touchedCases } from "./watch-evals.ts";

function caseOf(id: string, file: string, skill: string, used: readonly string[] = []): EvalCase {
  return {
    id,
    title: id,
    input: id,
    files: [],
    expected: {
      skills: { used, unused: [], only: false },
      sequence: [],
      output: [],
      statements: [],
    },
    constraints: { forbiddenTools: [], requiredTools: [] },
    tags: [],
    origin: { file, line: 1, dialect: "skillwright", skill },
  };
}

it("C-01 a change runs the cases of its skill, of its file, and those that expect it", () => {
  const cases = [
    caseOf("own", "/a.json", "pdf"),
    caseOf("expects", "/b.json", "csv", ["pdf"]),
    caseOf("file", "/c.json", "csv"),
    caseOf("other", "/b.json", "mail"),
  ];
  const touched = touchedCases(cases, { skills: new Set(["pdf"]), files: new Set(["/c.json"]) });
  expect(touched.map(({ id }) => id)).toEqual(["own", "expects", "file"]);
});
