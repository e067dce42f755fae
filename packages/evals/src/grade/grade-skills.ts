import type { ExpectedSkills } from "../cases/eval-case.ts";
import type { Grade } from "./grade.ts";

/** Whether the right skills were used, and no wrong ones. Names in any case, as they are found. */
export function gradeSkills(expected: ExpectedSkills, skills: readonly string[]): Grade[] {
  const { used, unused, only } = expected;
  const fold = (name: string) => name.toLowerCase();
  const isUsed = (name: string) => skills.some((one) => fold(one) === fold(name));
  const evidence = skills.length === 0 ? "no skill was used" : `used: ${skills.join(", ")}`;
  const wanted = used.map((name) => grade(`the skill ${name} is used`, isUsed(name), evidence));
  const unwanted = unused.map((name) =>
    grade(`the skill ${name} is not used`, !isUsed(name), evidence),
  );
  if (!only) return [...wanted, ...unwanted];
  const others = skills.filter((one) => !used.some((name) => fold(name) === fold(one)));
  const text = used.length === 0 ? "no skill is used" : "no other skill is used";
  return [...wanted, ...unwanted, grade(text, others.length === 0, evidence)];
}

function grade(text: string, passed: boolean, evidence: string): Grade {
  return {
    metric: "trigger",
    text,
    outcome: passed ? "pass" : "fail",
    score: passed ? 1 : 0,
    evidence,
  };
}
