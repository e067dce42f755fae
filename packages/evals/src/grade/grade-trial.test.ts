import { describe, expect, it } from "vitest";
import { exampleTrajectory } from "../../../../test/support/example-trajectory.ts";
import type { EvalCase, Expected, Judge, Outcome } from "../index.ts";
import { gradeTrial, outcomeOf } from "./index.ts";

function caseOf(
  expected: Partial<Expected>,
  constraints: Partial<EvalCase["constraints"]> = {},
): EvalCase {
  return {
    id: "pdf/1",
    title: "t",
    input: "Merge",
    files: [],
    expected: { sequence: [], output: [], statements: [], ...expected },
    constraints: { forbiddenTools: [], requiredTools: [], ...constraints },
    tags: [],
    origin: { file: "/evals/evals.json", line: 1, dialect: "evals-json" },
  };
}

const done = exampleTrajectory(
  ["select pdf", ["use write_file", {}, { ok: false }], "run pdf/scripts/merge.py", "answer"],
  {
    answer: "merged 2 files",
    usage: {
      turns: 4,
      toolCalls: 2,
      scripts: 1,
      inputTokens: 900,
      outputTokens: 100,
      cost: 0.02,
      timeMs: 50,
    },
  },
);

const brief = async (evalCase: EvalCase, environment = {}) =>
  (await gradeTrial(evalCase, done, environment)).map(({ metric, text, outcome }) => [
    metric,
    text,
    outcome,
  ]);

describe("gradeTrial", () => {
  it("E-02 what cannot be done here stays unjudged, and no judge is asked", async () => {
    const evalCase = caseOf({
      unsupported: [{ text: "the grader code cannot be run here", file: "/eval.yaml", line: 3 }],
    });
    const judge: Judge = {
      id: "none",
      judge: () => Promise.reject(new Error("asked")),
      prefer: () => Promise.reject(new Error("asked")),
    };
    expect(await brief(evalCase, { judge })).toEqual([
      ["output", "the grader code cannot be run here", "unjudged"],
    ]);
  });

  it("E-02 gives a grade for everything the case says, under its metric", async () => {
    const evalCase = caseOf(
      {
        skills: { used: ["PDF"], unused: ["csv"], only: true },
        sequence: ["never use delete_file", "select csv"],
        output: [
          { type: "contains", value: "merged" },
          { type: "contains", value: "3" },
        ],
        statements: ["It is kind"],
      },
      {
        maxToolCalls: 2,
        maxTokens: 500,
        forbiddenTools: ["Write"],
        requiredTools: ["run_script:pdf/*"],
      },
    );
    expect(await brief(evalCase)).toEqual([
      ["trigger", "the skill PDF is used", "pass"],
      ["trigger", "the skill csv is not used", "pass"],
      ["trigger", "no other skill is used", "pass"],
      ["sequence", "never use delete_file", "pass"],
      ["sequence", "select csv", "fail"],
      ["output", 'the answer contains "merged"', "pass"],
      ["output", 'the answer contains "3"', "fail"],
      ["cost", "at most 2 tool calls", "pass"],
      ["cost", "at most 500 tokens", "fail"],
      ["cost", "run_script:pdf/* is used", "pass"],
      ["cost", "Write is not used", "fail"],
      ["judge", "It is kind", "unjudged"],
    ]);
  });

  it.each([
    [{ used: ["csv"], unused: [], only: false }, ["fail"]],
    [{ used: [], unused: ["pdf"], only: false }, ["fail"]],
    [{ used: [], unused: [], only: true }, ["fail"]],
    [{ used: ["pdf"], unused: [], only: true }, ["pass", "pass"]],
  ])("E-02 skills %j: %j", async (skills, outcomes) => {
    const grades = await gradeTrial(caseOf({ skills }), done, {});
    expect(grades.map(({ outcome }) => outcome)).toEqual(outcomes);
  });

  it.each([
    [{ maxTurns: 3 }, 0.75],
    [{ maxScripts: 0 }, 0],
    [{ maxTimeMs: 49 }, 0.98],
    [{ maxCost: 0.01 }, 0.5],
    [{ maxTurns: 4, maxScripts: 1 }, 1],
    [{ forbiddenTools: ["write_file"] }, 0],
    [{ forbiddenTools: ["bash"] }, 0],
    [{ forbiddenTools: ["run_command", "read*"] }, 1],
    // It was tried, but refused.
    [{ requiredTools: ["write_file"] }, 0],
    [{ requiredTools: ["select_skills"] }, 1],
  ])("E-02 constraints %j: %f", async (constraints, score) => {
    const [grade] = await gradeTrial(caseOf({}, constraints), done, {});
    expect(grade).toMatchObject({ metric: "cost", outcome: score === 1 ? "pass" : "fail" });
    expect(grade?.score).toBeCloseTo(score);
  });

  it("E-02 a grader, judge or sequence that breaks is an error, and spoils no other grade", async () => {
    const broken: Judge = {
      id: "broken",
      judge: () => Promise.reject(new Error("no judge today")),
      prefer: () => Promise.reject(new Error("no")),
    };
    const evalCase = caseOf({
      sequence: ["select pdf befor x"],
      output: [
        { type: "script", file: "a.mjs" },
        { type: "contains", value: "2" },
      ],
      statements: ["It is kind"],
    });
    const runGrader = () => Promise.reject(new Error("the sandbox fell over"));
    expect(await brief(evalCase, { directory: "/work", runGrader, judge: broken })).toEqual([
      ["sequence", "select pdf befor x", "error"],
      ["output", "the grader a.mjs agrees", "error"],
      ["output", 'the answer contains "2"', "pass"],
      ["judge", "It is kind", "error"],
    ]);
  });

  it("E-02 a judge decides about statements, with evidence", async () => {
    const judge: Judge = {
      id: "j",
      judge: ({ statement, answer }) =>
        Promise.resolve({ ok: true, passed: statement === "yes", evidence: answer }),
      prefer: () => Promise.resolve({ ok: true, winner: "tie", evidence: "" }),
    };
    const grades = await gradeTrial(caseOf({ statements: ["yes", "no"] }), done, { judge });
    expect(grades).toMatchObject([
      { outcome: "pass", score: 1, evidence: "merged 2 files" },
      { outcome: "fail", score: 0 },
    ]);
  });
});

describe("outcomeOf", () => {
  it.each<[Outcome[], Outcome]>([
    [[], "unjudged"],
    [["unjudged"], "unjudged"],
    [["pass", "unjudged"], "pass"],
    [["pass", "error", "unjudged"], "error"],
    [["error", "fail", "pass"], "fail"],
    [["pass", "pass"], "pass"],
  ])("E-02 %j is %s", (outcomes, expected) => {
    const grades = outcomes.map((outcome) => ({ metric: "judge" as const, outcome }));
    expect(outcomeOf(grades)).toBe(expected);
  });

  it.each<[Outcome[], Outcome]>([
    [[], "unjudged"],
    [["pass"], "unjudged"],
    [["pass", "unjudged"], "unjudged"],
    [["pass", "error"], "error"],
    [["pass", "fail"], "fail"],
  ])("E-02 a grader that cannot be run here beside %j leaves it %s", (outcomes, expected) => {
    const grades = outcomes.map((outcome) => ({ metric: "judge" as const, outcome }));
    expect(outcomeOf([...grades, { metric: "output", outcome: "unjudged" }])).toBe(expected);
  });
});
