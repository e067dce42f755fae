import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleTrajectory } from "../../../../test/support/example-trajectory.ts";
import { numRuns } from "../../../../test/support/suite.ts";
import { parseSequence } from "../index.ts";
import { canRunAway, checkSequence, matchGlob, STEP_ACTIONS } from "./index.ts";

const stepsOf = (...lines: Parameters<typeof exampleTrajectory>[0]) =>
  exampleTrajectory(lines).steps;

const fill = stepsOf(
  "select pdf",
  "load pdf/references/FORMS.md",
  ["run pdf/scripts/fill.py", { args: ["in.pdf", "--dry-run"] }, { ok: false, observation: "no" }],
  ["use read_file", { input: { path: "notes.md", lines: 3 } }],
  ["run pdf/scripts/fill.py", { args: ["in.pdf", "out.pdf"] }],
  "answer",
);

describe("checkSequence", () => {
  it.each([
    ["select pdf", true],
    ["select csv", false],
    ["select", true],
    ["never use write_file", true],
    ["never run pdf/*", false],
    ["never run * before select pdf", true],
    ["never run * before use read_file", false],
    ["never run * before use delete_file", false],
    ["at most 2 run *", true],
    ["at most 1 run *", false],
    ["at most 1 run * before use read_file", true],
    ["exactly 2 run pdf/scripts/fill.py", true],
    ["exactly 1 run pdf/scripts/fill.py", false],
    ["exactly 1 run * before use *", true],
    ["exactly 0 use write_file", true],
    ["exactly 6 step", true],
    ["select pdf before run *", true],
    ["run * before select pdf", false],
    ["select csv before run *", false],
    ["select pdf before load * before run * before answer", true],
    ["select pdf before run * before load *", false],
    ['step "pdf/*"', true],
    ["run_script pdf/* before final_answer", true],
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
    ["use * where not input.lines = 3", false],
    ["use * where not input.path contains secret", true],
    ["use * where input.mode = null", false],
    ["run * where subject matches /fill/", true],
    ['run * where observation = "no"', true],
    ["use * where input.__proto__ contains x", false],
    ["use * where constructor contains function", false],
  ])("E-01 looks at arguments: %s: %s", (line, passed) => {
    expect(checkSequence(line, fill)).toMatchObject({ ok: true, passed });
  });

  it("E-01 finds each of several skills, and what a skill did in a run of its own", () => {
    const several = stepsOf("select csv, pdf", "use pdf > write_file", "answer");
    expect(checkSequence("select pdf", several)).toMatchObject({ passed: true });
    expect(checkSequence("never use write_file", several)).toMatchObject({ passed: false });
    expect(checkSequence('use "pdf > write_file"', several)).toMatchObject({ passed: true });
  });

  it.each([
    ["never select where subject = pdf", false],
    ["never select where subject contains csv", false],
    ["never select where subject matches /^csv$/", false],
    ["never select where not subject = pdf", false],
    ["never select where subject = docx", true],
    ["never select where subject matches /^pdf/ and not subject = pdf", true],
  ])("E-02 of several skills selected at once, each is the subject: %s", (line, passed) => {
    const done = stepsOf("select pdf, csv", "answer");
    expect(checkSequence(line, done)).toMatchObject({ ok: true, passed });
  });

  it.each([
    ["select pdf before run * before answer", 2 / 3],
    ["exactly 4 use *", 0.5],
    ["at most 1 use *", 0.5],
    ["never use *", 0],
    ["answer before select pdf", 0.5],
  ])("E-02 %s is done in part: %f", (line, score) => {
    const done = stepsOf("select pdf", "use a", "use b", "answer");
    expect(checkSequence(line, done)).toMatchObject({ passed: false, score });
  });

  it("E-02 the evidence names the steps that decided", () => {
    const evidenceOf = (line: string) => checkSequence(line, fill);
    expect(evidenceOf("at most 1 run pdf/*")).toMatchObject({
      evidence:
        "run pdf/*: done 2 times: 3. run pdf/scripts/fill.py (failed), 5. run pdf/scripts/fill.py",
    });
    expect(evidenceOf("use * before select pdf before use write_file")).toMatchObject({
      evidence:
        "use *: first 4. use read_file\nselect pdf: too early, first 1. select pdf\nuse write_file: not done",
    });
  });

  it("E-01 an invalid line is a failure with its column", () => {
    expect(checkSequence("jump", [])).toMatchObject({
      ok: false,
      code: "sequence-invalid",
      message: "column 1: expected a step instead of `jump`",
    });
  });

  it("E-01 lines with a regular expression are marked, since it can run away", () => {
    expect(canRunAway("use * where input.text matches /^(a+)+$/")).toBe(true);
    expect(canRunAway("use * where input.text contains a")).toBe(false);
  });
});

describe("the sequence language", () => {
  const names = fc.constantFrom("a", "b", "c");
  const steps = names.map((name) => `use ${name}`);
  const runs = fc
    .array(names, { maxLength: 8 })
    .map((all) => stepsOf(...all.map((name) => `use ${name}`)));

  it("E-01 no text breaks the parser, and a problem has its place in the line", () => {
    const words = [...Object.keys(STEP_ACTIONS), "a/*", "before", "never", "at", "most", "exactly"];
    const more = ["3", "where", "and", "not", "=", "contains", "matches", '"', "/x/", "ok", "("];
    const pieces = fc.constantFrom(...words, ...more);
    const lines = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 12 }).map((all) => all.join(" ")),
    );
    fc.assert(
      fc.property(lines, (line) => {
        const parsed = parseSequence(line);
        const column = parsed.ok ? 1 : parsed.column;
        expect(column).toBeGreaterThanOrEqual(1);
        expect(column).toBeLessThanOrEqual(line.length + 1);
      }),
      { numRuns: numRuns(2000) },
    );
  });

  it("E-01 a subject in quotes is any text", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, maxLength: 12 }), (subject) => {
        const parsed = parseSequence(`use ${JSON.stringify(subject)} where ok`);
        expect(parsed).toMatchObject({ ok: true, rule: { step: { subject } } });
      }),
      { numRuns: numRuns(2000) },
    );
  });

  it("E-01 never is not once, exactly is at most and not less, before is not the other way round", () => {
    fc.assert(
      fc.property(steps, steps, fc.nat(3), runs, (first, second, times, done) => {
        const holds = (line: string) => {
          const result = checkSequence(line, done);
          if (!result.ok) throw new Error(result.message);
          expect(result.score === 1).toBe(result.passed);
          expect(result.score).toBeGreaterThanOrEqual(0);
          return result.passed;
        };
        expect(holds(`never ${first}`)).toBe(!holds(first));
        expect(holds(`exactly ${times + 1} ${first}`)).toBe(
          holds(`at most ${times + 1} ${first}`) && !holds(`at most ${times} ${first}`),
        );
        const isBefore = holds(`${first} before ${second}`);
        expect(isBefore && holds(`${second} before ${first}`)).toBe(false);
        expect(isBefore).toBe(
          first !== second && holds(second) && !holds(`never ${first} before ${second}`),
        );
      }),
      { numRuns: numRuns(2000) },
    );
  });

  it("E-01 a star stands for any characters", () => {
    const globs = fc
      .array(fc.constantFrom("a", "b", "*", ".", "+"), { maxLength: 6 })
      .map((all) => all.join(""));
    const texts = fc
      .array(fc.constantFrom("a", "b", ".", "+"), { maxLength: 8 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(globs, texts, (glob, text) => {
        const parts = glob.split("*").map((part) => part.replaceAll(/[.+]/g, "\\$&"));
        expect(matchGlob(glob, text)).toBe(new RegExp(`^${parts.join(".*")}$`).test(text));
      }),
      { numRuns: numRuns(2000) },
    );
  });
});
