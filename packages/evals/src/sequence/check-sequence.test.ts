import { describe, expect, it } from "vitest";
import { exampleTrajectory as trajectory } from "../../../../test/support/example-trajectory.ts";
import { checkSequence } from "./index.ts";

const fill = trajectory([
  "select pdf",
  "load pdf/references/FORMS.md",
  ["run pdf/scripts/fill.py", { args: ["in.pdf", "--dry-run"] }, { ok: false, observation: "no" }],
  ["use read_file", { input: { path: "notes.md", lines: 3 } }],
  ["run pdf/scripts/fill.py", { args: ["in.pdf", "out.pdf"] }],
  "answer",
]);

describe("checkSequence", () => {
  it.each([
    ["select pdf", true],
    ["select csv", false],
    ["select pdf or select csv", true],
    ["never use write_file", true],
    ["never run pdf/*", false],
    ["never use * after answer", true],
    ["never run * after select pdf", false],
    ["never run * before select pdf", true],
    ["never run * before use delete_file", false],
    ["never run * after use delete_file", true],
    ["at most 2 run *", true],
    ["at most 1 run *", false],
    ["at least 2 run *", true],
    ["at least 3 run *", false],
    ["exactly 2 run pdf/scripts/fill.py", true],
    ["exactly 1 run pdf/scripts/fill.py", false],
    ["between 1 and 2 run *", true],
    ["exactly 1 run * after use read_file", true],
    ["select pdf before run *", true],
    ["run * before select pdf", false],
    ["run * after load *", true],
    ["answer after select pdf", true],
    ["select csv before run *", false],
    ["load * immediately after select pdf", true],
    ["run * immediately after select pdf", false],
    ["select pdf immediately before load *", true],
    ["select pdf then immediately load * then answer", true],
    ["select pdf then within 2 steps run *", true],
    ["select pdf then within 1 step run *", false],
    ["use read_file within 3 steps after select pdf", true],
    ["use read_file within 2 steps after select pdf", false],
    ["in order: select pdf, run *, answer", true],
    ["in order: answer, select pdf", false],
    ["in any order: answer, run *, run *, select pdf", true],
    ["in any order: run *, run *, run *", false],
    ["exactly: select *, load *, run *, use *, run *, answer", true],
    ["exactly: select *, run *, answer", false],
    ["exactly in any order: answer, run *, run *, use *, load *, select *", true],
    ["exactly in any order: answer, run *, use *, load *, select *", false],
    ["starts with: select pdf, load *", true],
    ["starts with: load *", false],
    ["ends with: run *, answer", true],
    ["ends with: select *, run *", false],
    ["only: select pdf, load pdf/*, run pdf/*, use read_file, answer", true],
    ["only: select pdf, load pdf/*, run pdf/*, answer", false],
    ["every run * where failed then within 2 steps run * where ok", true],
    ["every run * then immediately use *", false],
    ["every use delete_file then answer", true],
    ["run * only after load *", true],
    ["use * only immediately after run *", true],
    ["run * only immediately after run *", false],
    ["select * only after load *", false],
    ["run * only if loaded", true],
    ["not run * before select pdf", true],
    ["not select pdf before run *", false],
    ["use write_file or else never use delete_file", true],
    ["use write_file or else use delete_file", false],
    ["(run * or use *) before answer", true],
    ['step "pdf/*"', true],
    ["run_script pdf/* then final_answer", true],
  ])("E-01 %s: %s", (line, passed) => {
    expect(checkSequence(line, fill)).toMatchObject({ ok: true, passed });
  });

  it.each([
    ['run * where args contains "--dry-run"', true],
    ["run * where args contains --dry-run and ok", false],
    ["run * where args contains --dry-run and failed", true],
    ['run * where args = "in.pdf out.pdf"', true],
    ["run * where args.0 = in.pdf", true],
    ["use * where input.path matches /\\.MD$/i", true],
    ["use * where input.path matches /\\.MD$/", false],
    ["use * where input.lines = 3", true],
    ['use * where input.lines = "3"', false],
    ["use * where input.lines != 3", false],
    ["use * where not input.path contains secret", true],
    ["use * where input.mode = null", false],
    ["run * where subject matches /fill/", true],
    ['run * where observation = "no"', true],
    ["use * where input.__proto__ contains x", false],
    ["use * where constructor contains function", false],
  ])("E-01 looks at arguments: %s: %s", (line, passed) => {
    expect(checkSequence(line, fill)).toMatchObject({ ok: true, passed });
  });

  it("E-01 a script counts as loaded only after its own skill was selected", () => {
    const stranger = trajectory([
      "select csv",
      "run pdf/scripts/fill.py",
      "select pdf",
      "run pdf/a.py",
    ]);
    expect(checkSequence("run * only if loaded", stranger)).toMatchObject({
      passed: false,
      score: 0.5,
      evidence: "its skill was not selected before: 2. run pdf/scripts/fill.py",
    });
    const failed = trajectory([["select pdf", {}, { ok: false }], "run pdf/a.py"], { skills: [] });
    expect(checkSequence("run * only if loaded", failed)).toMatchObject({ passed: false });
    const named = trajectory(["run pdf/a.py"], { skills: ["pdf"] });
    expect(checkSequence("run * only if loaded", named)).toMatchObject({ passed: true });
  });

  it("E-01 finds each of several skills, and what a skill did in a run of its own", () => {
    const several = trajectory(["select csv, pdf", "use pdf > write_file", "answer"]);
    expect(checkSequence("select pdf", several)).toMatchObject({ passed: true });
    expect(checkSequence("never use write_file", several)).toMatchObject({ passed: false });
    expect(checkSequence('use "pdf > write_file"', several)).toMatchObject({ passed: true });
  });

  it.each([
    ["only: select a, answer", false],
    ["only: select a or select b, answer", true],
    ["only: select a, select b, answer", true],
    ["only: select, answer", true],
    ["only: step where not subject = b", false],
    ["exactly: select a, answer", false],
    ["exactly: select b, answer", false],
    ["exactly: select a or select b, answer", true],
    ['exactly: select "a, b", answer', true],
    ["exactly: select *, answer", true],
    ["exactly in any order: answer, select a", false],
    ["exactly in any order: answer, select * where ok", true],
    ["in any order: answer, select a", true],
    ["starts with: select a", true],
  ])("E-01 who allows no other step allows no other skill in it: %s: %s", (line, passed) => {
    const both = trajectory(["select a, b", "answer"]);
    expect(checkSequence(line, both)).toMatchObject({ ok: true, passed });
  });

  it("E-02 gives credit for the part that was done, and shows it beside what was expected", () => {
    const result = checkSequence(
      "exactly: select pdf, load pdf/*, answer",
      trajectory(["select pdf", "use x", "answer"]),
    );
    expect(result).toMatchObject({ passed: false, score: 4 / 6 });
    expect(result.ok && result.evidence).toBe(
      [
        "  expected   | done",
        "= select pdf | 1. select pdf",
        "+            | 2. use x",
        "- load pdf/* |",
        "= answer     | 3. answer",
      ].join("\n"),
    );
  });

  it.each([
    ["select pdf then run * then answer", 2 / 3],
    ["at least 4 use *", 0.5],
    ["at most 1 use *", 0.5],
    ["never use *", 0],
    ["in any order: select pdf, run *, load *", 1 / 3],
    ["select pdf before run *", 0.5],
    ["ends with: select pdf, answer", 0.5],
  ])("E-02 %s is done in part: %f", (line, score) => {
    const done = trajectory(["select pdf", "use a", "use b", "answer"]);
    expect(checkSequence(line, done)).toMatchObject({ passed: false, score });
  });

  it.each([
    ["never select where subject = pdf", false],
    ["never select where subject contains csv", false],
    ["never select where subject matches /^csv$/", false],
    ["never select where subject != pdf", false],
    ["never select where subject = docx", true],
    ["never select where subject matches /^pdf/ and not subject = pdf", true],
    ['select where subject = "pdf, csv"', true],
  ])("E-02 of several skills selected at once, each is the subject: %s", (line, passed) => {
    const done = trajectory(["select pdf, csv", "answer"]);
    expect(checkSequence(line, done)).toMatchObject({ ok: true, passed });
  });

  it("E-02 what is in order but too early gets no more than half", () => {
    const done = trajectory(["run pdf/a", "select pdf", "run pdf/a"]);
    expect(checkSequence("select pdf before run *", done)).toMatchObject({
      passed: false,
      score: 0.5,
    });
  });

  it("E-02 judges long trajectories, and shows the lines that say something", () => {
    const long = trajectory([...Array.from({ length: 5000 }, (_, i) => `use t${i % 7}`), "answer"]);
    const result = checkSequence("use t1 then within 3 steps use t3 then answer then use t1", long);
    expect(result).toMatchObject({ passed: false, score: 0.75 });
    expect(result.ok && result.evidence.split("\n").length).toBeLessThan(70);
    const many = `in order: ${Array.from({ length: 64 }, () => "use *").join(", ")}`;
    expect(checkSequence(many, long)).toMatchObject({ passed: true });
  });

  it("E-01 a pattern that runs away is undecided, neither passed nor failed", () => {
    const hostile = trajectory([["use x", { input: { text: `${"a".repeat(40)}!` } }]]);
    const line = "use * where input.text matches /^(a+)+$/";
    expect(checkSequence(line, hostile)).toMatchObject({ ok: false, code: "sequence-undecided" });
  });
});
