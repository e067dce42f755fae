import { nameProblem } from "@skillwright/core/internal";
import { describe, expect, it } from "vitest";
import { lostCases, stressSkills } from "./index.ts";

it("E-02 as many skills as asked for, with good names, each once, the same for a seed", () => {
  const skills = stressSkills(500, 7, ["convert-invoices-for-a-team"]);
  const names = skills.map(({ name }) => name);
  expect(new Set(names).size).toBe(500);
  expect(names).not.toContain("convert-invoices-for-a-team");
  expect(names.filter((name) => nameProblem(name) !== undefined)).toEqual([]);
  expect(stressSkills(500, 7, ["convert-invoices-for-a-team"])).toEqual(skills);
  expect(stressSkills(500, 8)).not.toEqual(skills);
});

type Trial = Parameters<typeof lostCases>[0][number];

const trials = (caseId: string, ...all: (Trial["outcome"] | readonly string[])[]): Trial[] =>
  all.map((one) =>
    typeof one === "string"
      ? { caseId, outcome: one, skills: [] }
      : { caseId, outcome: "fail", skills: one },
  );

describe("lostCases", () => {
  it("E-02 names a case once, with how often it is wrong and what was selected then", () => {
    const before = [...trials("a", "pass", "pass", "pass"), ...trials("b", "pass", "pass", "pass")];
    const now = [...trials("a", ["x"], "pass", ["x", "y"]), ...trials("b", "pass", "pass", "pass")];
    expect(lostCases(before, now)).toEqual([{ caseId: "a", skills: ["x", "y"], trials: 2, of: 3 }]);
  });

  it("E-02 a case that was as often wrong before is not lost, nor is one with errors only", () => {
    const before = [
      ...trials("same", "pass", "fail", "pass"),
      ...trials("better", "fail", "pass"),
      ...trials("broken", "pass"),
      ...trials("unknown", "error"),
    ];
    const now = [
      ...trials("same", "fail", "pass", "pass"),
      ...trials("better", "pass", "pass"),
      ...trials("broken", "error"),
      ...trials("unknown", "fail"),
    ];
    expect(lostCases(before, now)).toEqual([]);
    expect(lostCases(before, trials("broken", "error", "fail"))).toEqual([
      { caseId: "broken", skills: [], trials: 1, of: 1 },
    ]);
  });
});
