import type { Skills } from "@skillwright/core";
import type { Judge, JudgeQuestion, PreferenceQuestion } from "@skillwright/evals";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { evalWorld } from "../../../../test/support/eval-world.ts";
import { placedJudge } from "@skillwright/app/internal";

const caseOf = (id: string, file: string) => `  - id: ${id}
    input: Fill the PDF form
    expected: { output: [{ type: script, file: ${file} }] }
`;

describe("graders of cases", () => {
  it("E-01 pass, fail and crash are three outcomes, wherever the grader lies", async () => {
    const { json, write, project, folder } = evalWorld({
      ".agent/evals/cases.yaml": `cases:\n${caseOf("good", "good.py")}${caseOf("bad", "graders/bad.py")}${caseOf("crash", "scripts/crash.py")}`,
      ".agent/evals/graders/bad.py": "import sys\nsys.exit(1)\n",
      ".agent/evals/scripts/crash.py": "raise ValueError('oh')\n",
    });
    const good = `import json, sys
assert json.load(sys.stdin)["input"] == "Fill the PDF form"
try:
    open(${JSON.stringify(join(folder, "escaped.txt"))}, "w").write("x")
except OSError:
    pass
`;
    write(".agent/evals/good.py", good);
    const { answer } = await json("--save", "now.json");
    const outcomes = answer.cases.map(({ id, arms }) => [id, arms[0]?.outcome]);
    expect(Object.fromEntries(outcomes)).toEqual({
      "cases/good": "pass",
      "cases/bad": "fail",
      "cases/crash": "error",
    });
    expect(existsSync(join(folder, "escaped.txt"))).toBe(false);
    expect(readFileSync(join(project, "now.json"), "utf8")).not.toContain("script-missing");
  });
});

describe("secrets in cases", () => {
  it("R-01 those of the environment are in no result and no report", async () => {
    const secret = "hunter2-of-the-environment";
    const { call, project } = evalWorld({
      ".agent/evals/cases.yaml": `cases:\n  - id: one\n    input: Log in with ${secret}\n    expected: { skills: [pdf] }\n`,
    });
    const files = ["now.json", "r.html", "r.md", "r.xml"];
    const options = ["--save", "now.json", "--html", "r.html", "--markdown", "r.md"];
    const args = ["eval", "--trust", ...options, "--junit", "r.xml", "--json"];
    const { stdout, exitCode } = await call(args, { SERVICE_PASSWORD: secret });
    expect(exitCode).toBe(1);
    const written = files.map((file) => readFileSync(join(project, file), "utf8"));
    for (const text of [stdout, ...written]) expect(text).not.toContain(secret);
    expect(written[0]).toContain("Log in with");
  });
});

it("E-03 a judge is asked the same wherever trials work and skills lie", async () => {
  const asked: JudgeQuestion[] = [];
  const judge: Judge = {
    id: "j",
    async judge(question) {
      asked.push(question);
      return { ok: true, passed: true, evidence: "e" };
    },
    prefer: () => Promise.reject(new Error("not asked")),
  };
  const ask = async (folder: string, trial: string, skill: string) => {
    const skills = { all: [{ name: "csv", path: skill }] } as unknown as Skills;
    const { signal } = new AbortController();
    await placedJudge(judge, folder, skills).judge({
      statement: "so",
      input: "go",
      answer: `${folder}/trial-${trial}/a.csv and ${folder}/trial-${trial}, by ${skill}/a.js`,
      steps: [],
      signal,
    });
    expect(asked.at(-1)?.signal).toBe(signal);
  };
  await ask("/tmp/skillwright-eval-a1", "Xy3Zq0", "/home/a/csv");
  await ask("/var/t/skillwright-eval-b2", "000000", "/srv/skills/csv");
  const answer = "/eval/trial/a.csv and /eval/trial, by /eval/skills/csv/a.js";
  expect(asked.map((question) => question.answer)).toEqual([answer, answer]);
});

it("E-03 answers from before an interruption are compared as if there had been none", async () => {
  const asked: PreferenceQuestion[] = [];
  const judge: Judge = {
    id: "j",
    judge: () => Promise.reject(new Error("not asked")),
    async prefer(question) {
      asked.push(question);
      return { ok: true, winner: "tie", evidence: "e" };
    },
  };
  const placed = placedJudge(judge, "/tmp/skillwright-eval-a1B2c3", { all: [] } as never);
  await placed.prefer({
    input: "go",
    criteria: "so",
    first: "/tmp/skillwright-eval-a1B2c3/trial-Xy3Zq0/a.csv",
    second: "/tmp/skillwright-eval-zzzzzz/trial-000000/a.csv, /tmp/skillwright-evaluation/trial-x",
  });
  expect(asked).toMatchObject([
    {
      first: "/eval/trial/a.csv",
      second: "/eval/trial/a.csv, /tmp/skillwright-evaluation/trial-x",
    },
  ]);
});
