import { nameProblem } from "@skillwright/core/internal";
import { expect, it } from "vitest";
import { stressSkills } from "./index.ts";

it("E-02 as many skills as asked for, with good names, each once, the same for a seed", () => {
  const skills = stressSkills(500, 7, ["convert-invoices-for-a-team"]);
  const names = skills.map(({ name }) => name);
  expect(new Set(names).size).toBe(500);
  expect(names).not.toContain("convert-invoices-for-a-team");
  expect(names.filter((name) => nameProblem(name) !== undefined)).toEqual([]);
  expect(stressSkills(500, 7, ["convert-invoices-for-a-team"])).toEqual(skills);
  expect(stressSkills(500, 8)).not.toEqual(skills);
});
