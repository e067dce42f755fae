import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bareTrial } from "../../../../test/support/example-results.ts";
import { gradeSkills } from "../grade/index.ts";
import { evaluateTrigger, type ExpectedSkills, type TrialResult } from "../index.ts";
import { includesSkill } from "./index.ts";

const want = (...used: string[]): ExpectedSkills => ({ used, unused: [], only: false });
const wantOnly = (...used: string[]): ExpectedSkills => ({ used, unused: [], only: true });
const without = (...unused: string[]): ExpectedSkills => ({ used: [], unused, only: false });
const none: ExpectedSkills = wantOnly();

/** A case with one trial for each selection. */
function trials(
  caseId: string,
  expectedSkills: ExpectedSkills | undefined,
  ...selections: (readonly string[] | "error")[]
): TrialResult[] {
  return selections.map((selection, i) => ({
    ...bareTrial(caseId, { trial: i + 1 }),
    ...(expectedSkills && { expectedSkills }),
    ...(selection === "error"
      ? { outcome: "error", error: { code: "timed-out", message: "late" } }
      : { skills: selection }),
  }));
}

const evaluate = (...all: TrialResult[][]) => evaluateTrigger(all.flat(), { seed: 1 });
const skill = (name: string, ...all: TrialResult[][]) =>
  evaluate(...all).skills.find((one) => one.skill === name)!;

describe("E-02 trigger precision and recall", () => {
  const catalog = [
    trials("1", want("pdf"), ["pdf"]),
    trials("2", want("pdf"), ["pdf"]),
    trials("3", want("pdf"), ["docx"]),
    trials("4", want("pdf"), []),
    trials("5", want("docx"), ["docx"]),
    trials("6", none, ["pdf"]),
    trials("7", none, []),
  ];

  it("are those of each skill, with what they rest on", () => {
    expect(skill("pdf", ...catalog)).toMatchObject({
      precision: { successes: 2, n: 3 },
      recall: { successes: 2, n: 4 },
      f1: { value: 4 / 7 },
    });
    expect(skill("docx", ...catalog)).toMatchObject({
      precision: { successes: 1, n: 2 },
      recall: { successes: 1, n: 1 },
    });
    expect(evaluate(...catalog).overall).toMatchObject({
      precision: { successes: 3, n: 5 },
      recall: { successes: 3, n: 5 },
      correct: { successes: 4, n: 7 },
    });
  });

  it("come with a matrix over all skills and none, whose rows sum up", () => {
    expect(evaluate(...catalog).confusion).toEqual([
      { expected: { kind: "skill", skill: "docx" }, n: 1, selected: [{ skill: "docx", cases: 1 }] },
      {
        expected: { kind: "skill", skill: "pdf" },
        n: 4,
        selected: [{ skill: "pdf", cases: 2 }, { cases: 1 }, { skill: "docx", cases: 1 }],
      },
      { expected: { kind: "none" }, n: 2, selected: [{ cases: 1 }, { skill: "pdf", cases: 1 }] },
    ]);
  });

  it("come with the list of who took which query", () => {
    const { mistakes, abstention } = evaluate(...catalog);
    expect(mistakes.map(({ caseId, kind, skill }) => [caseId, kind, skill])).toEqual([
      ["3", "stolen", "docx"],
      ["4", "missed", "pdf"],
      ["6", "unneeded", "pdf"],
    ]);
    expect(abstention.rightly).toMatchObject({ successes: 1, n: 2 });
    expect(abstention.wrongly).toMatchObject({ successes: 1, n: 5 });
  });
});

describe("E-02 trigger cases", () => {
  it("with an error are apart, and neither miss nor abstain", () => {
    const result = evaluate(
      trials("1", want("pdf"), "error", ["pdf"]),
      trials("2", none, "error"),
      trials("3", without("pdf"), "error", "error"),
    );
    expect(result).toMatchObject({
      n: 1,
      trials: 1,
      left: { errors: 4, casesWithErrorsOnly: ["2", "3"] },
      overall: { recall: { successes: 1, n: 1 } },
      abstention: { rightly: { n: 0, value: null } },
    });
  });

  it("whose grader failed still say what was selected", () => {
    const [one] = trials("1", want("pdf"), ["pdf"]);
    const failed = { code: "grader-failed", message: "it crashed" };
    expect(evaluate([{ ...one!, outcome: "error", error: failed }]).n).toBe(1);
  });

  it("of mock actions, without expectation, or of another arm are left out", () => {
    const mock = trials("1", want("pdf"), []).map((one) => ({ ...one, isMock: true }));
    const other = trials("3", want("pdf"), []).map((one) => ({
      ...one,
      arm: "without_skill" as const,
    }));
    const result = evaluate(mock, trials("2", undefined, ["pdf"]), other);
    expect(result).toMatchObject({ n: 0, left: { mock: 1, silent: 1, errors: 0 } });
    expect(result.overall.precision.value).toBeNull();
    expect(result.overall.f1).toEqual({ value: null, low: 0, high: 1, n: 0 });
  });

  it("that rule out one skill count for that one only", () => {
    const result = evaluate(
      trials("1", without("pdf"), ["docx"]),
      trials("2", without("pdf"), ["pdf", "docx"]),
    );
    expect(result.skills.map(({ skill }) => skill)).toEqual(["pdf"]);
    expect(result.skills[0]?.precision).toMatchObject({ successes: 0, n: 1 });
    expect(result.mistakes).toMatchObject([{ caseId: "2", kind: "forbidden", skill: "pdf" }]);
    expect(result.confusion).toEqual([
      {
        expected: { kind: "open" },
        n: 2,
        selected: [
          { skill: "docx", cases: 1.5 },
          { skill: "pdf", cases: 0.5, wrong: 0.5 },
        ],
      },
    ]);
  });

  it("that expect several skills want each of them", () => {
    const both = want("pdf", "docx");
    const result = evaluate(
      trials("1", both, ["pdf", "docx", "xlsx"]),
      trials("2", both, ["pdf", "xlsx"]),
      trials("3", wantOnly("pdf", "docx"), ["pdf", "docx", "xlsx"]),
    );
    expect(result.overall.recall.value).toBeCloseTo(5 / 6, 12);
    expect(result.overall.recall.n).toBe(3);
    expect(result.mistakes.map(({ caseId, kind, skill }) => [caseId, kind, skill])).toEqual([
      ["2", "stolen", "xlsx"],
      ["3", "extra", "xlsx"],
    ]);
    expect(result.confusion.map(({ n }) => n)).toEqual([3, 3]);
  });

  it("name a skill in any case", () => {
    const result = evaluate(
      trials("1", want("PDF"), []),
      trials("2", want("PDF"), ["pdf"]),
      trials("3", without("Pdf"), ["PdF"]),
    );
    expect(result.skills).toMatchObject([
      { skill: "pdf", precision: { successes: 1, n: 2 }, recall: { successes: 1, n: 2 } },
    ]);
  });

  it("are right exactly when every trigger grade passes", () => {
    const names = fc.subarray(["a", "B", "b", "c"]);
    const expectation = fc.record({ used: names, unused: names, only: fc.boolean() });
    fc.assert(
      fc.property(expectation, fc.subarray(["a", "b", "c", "d"]), (expected, selected) => {
        const isRight = gradeSkills(expected, selected).every(({ outcome }) => outcome === "pass");
        const { correct } = evaluate(trials("1", expected, selected)).overall;
        const isContradiction = expected.used.some((one) => includesSkill(expected.unused, one));
        expect(correct.value === 1 && !isContradiction).toBe(isRight);
      }),
    );
  });

  it("with skills whose names are words of ours or of JavaScript", () => {
    const names = ["none", "__proto__", "constructor"];
    const result = evaluate(...names.map((name) => trials(name, want(name), [name])));
    expect(result.skills.map(({ skill }) => skill)).toEqual(names.toSorted());
    expect(result.confusion.every(({ expected }) => expected.kind === "skill")).toBe(true);
  });
});

describe("E-02 several trials of one case", () => {
  it("do not make it count more, nor an interval narrower", () => {
    const once = evaluate(trials("1", want("pdf"), ["pdf"]), trials("2", want("pdf"), []));
    const often = evaluate(
      trials("1", want("pdf"), ["pdf"], ["pdf"], ["pdf"], ["pdf"]),
      trials("2", want("pdf"), [], [], [], []),
    );
    expect(often.overall.recall).toEqual({ ...once.overall.recall, trials: 8 });
    expect(often.overall.precision).toEqual({ ...once.overall.precision, trials: 4 });
    expect(often.mistakes).toMatchObject([{ trials: 4, of: 4 }]);
  });

  it("leave no dust of binary fractions", () => {
    const third = (id: string) => trials(id, want("pdf"), ["pdf"], [], []);
    const most = (id: string) => trials(id, want("pdf"), ["docx"], ["pdf"], ["pdf"]);
    const all = [..."abcdefg"].flatMap((id) => [third(id), most(`${id}2`)]);
    const { overall, skills } = evaluate(...all);
    for (const { precision, recall } of [overall, ...skills]) {
      for (const number of [precision.successes, precision.n, recall.successes, recall.n]) {
        expect(number).toBe(Number(number.toFixed(9)));
      }
    }
    const two = evaluate(third("1"), third("2"), third("3"), third("4"), third("5"), third("6"));
    expect(two.overall.precision).toMatchObject({ successes: 2, n: 2, value: 1 });
  });

  it("share a case between what they selected", () => {
    const [row] = evaluate(trials("1", want("pdf"), ["pdf"], ["docx"], [], ["pdf"])).confusion;
    expect(row?.selected).toEqual([
      { skill: "pdf", cases: 0.5 },
      { cases: 0.25 },
      { skill: "docx", cases: 0.25 },
    ]);
  });
});

it("E-02 an F1 of 1 from few cases is doubted", () => {
  const { f1 } = skill("pdf", trials("1", want("pdf"), ["pdf"]), trials("2", want("pdf"), ["pdf"]));
  expect(f1.value).toBe(1);
  expect(f1.low).toBeLessThan(0.6);
});

it("E-02 whatever was selected: numbers stay in their intervals, rows sum up, the order says nothing", () => {
  const names = fc.subarray(["a", "b", "c", "none"]);
  const someCase = fc.record({
    expected: fc.record({ used: names, unused: names, only: fc.boolean() }),
    selections: fc.array(fc.oneof(names, fc.constant("error" as const)), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(someCase, { maxLength: 6 }), (given) => {
      const all = given.map(({ expected, selections }, i) =>
        trials(`${i}`, expected, ...selections),
      );
      const result = evaluate(...all);
      const scores = [result.overall, ...result.skills];
      for (const { low, high, value } of scores.flatMap((one) => [
        one.precision,
        one.recall,
        one.f1,
      ])) {
        expect(low).toBeGreaterThanOrEqual(0);
        expect(high).toBeLessThanOrEqual(1);
        expect(value === null || (low <= value + 1e-12 && value <= high + 1e-12)).toBe(true);
      }
      for (const { n, selected } of result.confusion) {
        expect(selected.reduce((sum, { cases }) => sum + cases, 0)).toBeCloseTo(n, 6);
      }
      const turned = evaluate(...all.toReversed());
      expect(turned.overall.correct.value).toEqual(result.overall.correct.value);
      expect(turned.skills.map(({ skill }) => skill)).toEqual(
        result.skills.map(({ skill }) => skill),
      );
    }),
    { numRuns: 30 },
  );
});
