import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bareTrial, exampleResults } from "../../../../test/support/example-results.ts";
import {
  type Arm,
  type Grade,
  type Metric,
  type Outcome,
  summarize,
  type TrialResult,
} from "../index.ts";
import { createRandom } from "../statistics/index.ts";

const BOTH: Arm[] = [{ name: "with_skill" }, { name: "without_skill" }];

function grade(metric: Metric, outcome: Outcome, text = `${metric} is right`): Grade {
  return { metric, text, outcome, score: outcome === "pass" ? 1 : 0, evidence: "seen" };
}

/** One for each outcome of the output check. */
function outputs(caseId: string, arm: Arm["name"], ...outcomes: Outcome[]): TrialResult[] {
  return outcomes.map((outcome, i) =>
    bareTrial(caseId, { arm, trial: i + 1, outcome, grades: [grade("output", outcome)] }),
  );
}

const many = (count: number, make: (id: string) => TrialResult[]) =>
  Array.from({ length: count }, (_, i) => make(`case/${i}`)).flat();
const error = (code: string) => ({ outcome: "error" as const, error: { code, message: "oh" } });

describe("E-02 the verdict", () => {
  it("is pass when every case passes, and says how few they are", () => {
    const { verdict } = summarize(exampleResults(many(12, (id) => [bareTrial(id)])));
    expect(verdict.status).toBe("pass");
    expect(verdict.sentence).toBe(
      "100 % (12 of 12 cases, 95 % interval 76 to 100 %) passed. Smoke test: offline:rules decided, not a language model.",
    );
    expect(verdict).toMatchObject({ model: "offline:rules", isSmokeTest: true });
    const live = summarize(exampleResults([bareTrial("a")], { model: "anthropic:claude" })).verdict;
    expect(live).toMatchObject({ model: "anthropic:claude", isSmokeTest: false });
    expect(live.sentence).toMatch(/Decided by anthropic:claude\.$/);
    expect(verdict.notes[0]).toBe(
      "Only 12 cases were judged: of all such requests as few as 76 % may pass.",
    );
    expect(verdict.next).toBe("skillwright eval --save <file>");
  });

  it("is fail when one case fails, even beside a few errors, and names it", () => {
    const { verdict } = summarize(
      exampleResults([
        ...many(9, (id) => [bareTrial(id)]),
        bareTrial("b", { outcome: "fail" }),
        bareTrial("c", error("timed-out")),
      ]),
    );
    expect(verdict.status).toBe("fail");
    expect(verdict.sentence).toMatch(/^1 of 10 cases failed: b\./);
    expect(verdict.notes).toContain("1 of 11 trials ended in an error; they are in no rate.");
  });

  it("says that a case fails sometimes", () => {
    const trials = [bareTrial("a"), bareTrial("a", { trial: 2, outcome: "fail" })];
    expect(summarize(exampleResults(trials, { trials: 2 })).verdict.sentence).toMatch(
      /^1 of 1 case failed, 1 of them only sometimes: a\. /,
    );
  });

  it("E-05 is errors when many cases have no result, in doubt when few have none, and never a pass", () => {
    const { verdict, cases } = summarize(
      exampleResults([bareTrial("a"), bareTrial("b", error("timed-out"))]),
    );
    expect(verdict.status).toBe("errors");
    expect(verdict.sentence).toContain("first timed-out in b");
    expect(cases.map(({ arms }) => arms[0]?.outcome)).toEqual(["pass", "error"]);
    expect(verdict.arms[0]?.passed).toMatchObject({ successes: 1, n: 1 });
    const one = [...many(40, (id) => [bareTrial(id)]), bareTrial("lost", error("timed-out"))];
    expect(summarize(exampleResults(one)).verdict).toMatchObject({
      status: "inconclusive",
      sentence: expect.stringMatching(/^Without a result: 1 case\. 1 of 41 trials/) as string,
    });
    const missing = summarize(exampleResults([bareTrial("b", error("sandbox-missing"))]));
    expect(missing.verdict).toMatchObject({ status: "errors", next: "skillwright doctor" });
  });

  it("is errors above the share that is allowed, though every case has a result", () => {
    const flawed = many(10, (id) => [
      bareTrial(id),
      bareTrial(id, { trial: 2, ...error("model-failed") }),
    ]);
    expect(summarize(exampleResults(flawed, { trials: 2 })).verdict.status).toBe("errors");
    expect(summarize(exampleResults(flawed), { maximumErrorRate: 0.6 }).verdict.status).toBe(
      "pass",
    );
  });

  it("says how many expectations nobody judged, and why", () => {
    const words = bareTrial("a", { grades: [grade("output", "pass"), grade("judge", "unjudged")] });
    const unsupported = bareTrial("b", {
      outcome: "unjudged",
      grades: [grade("output", "pass"), grade("output", "unjudged")],
    });
    const again = [words, unsupported].map((one) => ({ ...one, trial: 2 }));
    const { verdict, output } = summarize(exampleResults([words, unsupported, ...again]));
    expect(verdict).toMatchObject({
      status: "pass",
      expectations: { total: 4, withoutJudge: 1, unsupported: 1 },
    });
    expect(verdict.sentence).toMatch(/^2 checks unjudged; .* passed\. /);
    expect(verdict.notes.slice(0, 3)).toEqual([
      expect.stringMatching(/^1 of 4 expectations .* cannot be checked here/),
      expect.stringMatching(/^1 of 4 expectations .* in words, and there is no --judge/),
      "Neither passed nor failed: b.",
    ]);
    expect(output.arms[0]?.passed.n).toBe(1);
  });

  it.each([
    [[], /the cases expect nothing/, "lint"],
    [[grade("output", "unjudged")], /cannot be run here/, "lint"],
    [[grade("judge", "unjudged")], /live judge can tell/, "--judge"],
  ])("without data names what is missing: %j", (grades, sentence, next) => {
    const { verdict } = summarize(
      exampleResults([bareTrial("a", { outcome: "unjudged", grades })]),
    );
    expect(verdict.status).toBe("no-data");
    expect(verdict.sentence).toMatch(sentence);
    expect(verdict.next).toContain(next);
  });

  it("is no data without a trial or without a judge", () => {
    expect(summarize(exampleResults([])).verdict.status).toBe("no-data");
    const unjudged = summarize(exampleResults([bareTrial("a", { outcome: "unjudged" })]));
    expect(unjudged.verdict.status).toBe("no-data");
    expect(unjudged.verdict.arms[0]?.passed.value).toBeNull();
  });

  it.each([
    [60, 0, "pass"],
    [20, 0, "inconclusive"],
    [20, 20, "fail"],
  ] as const)("against a rate of 90 %%: %d pass and %d fail → %s", (good, bad, status) => {
    const trials = [
      ...many(good, (id) => [bareTrial(`good ${id}`)]),
      ...many(bad, (id) => [bareTrial(`bad ${id}`, { outcome: "fail" })]),
    ];
    expect(summarize(exampleResults(trials), { minimumPassRate: 0.9 }).verdict.status).toBe(status);
  });
});

describe("E-02 with and without the skill", () => {
  const live = { isDeterministic: false, arms: BOTH };
  const pairs = (better: number, same: number) => [
    ...many(better, (id) => [
      ...outputs(`better ${id}`, "with_skill", "pass"),
      ...outputs(`better ${id}`, "without_skill", "fail"),
    ]),
    ...many(same, (id) => [
      ...outputs(`same ${id}`, "with_skill", "pass"),
      ...outputs(`same ${id}`, "without_skill", "pass"),
    ]),
  ];

  it("is compared case by case with McNemar's test", () => {
    const { output, verdict } = summarize(exampleResults(pairs(6, 4), live));
    expect(output.paired).toMatchObject([
      {
        first: "with_skill",
        second: "without_skill",
        table: { both: 4, onlyFirst: 6, onlySecond: 0, neither: 0 },
        difference: { value: 0.6, n: 10 },
        test: { name: "mcnemar", p: 1 / 32 },
      },
    ]);
    expect(verdict.status).toBe("pass");
    expect(verdict.sentence).toContain("Better: +60 points");
  });

  it("is inconclusive when chance could have done it, with the number of cases that would do", () => {
    const { verdict } = summarize(exampleResults(pairs(5, 5), live));
    expect(verdict.status).toBe("inconclusive");
    expect(verdict.sentence).toContain("p = 0.063");
    expect(verdict.sentence).toMatch(/about \d+ cases are needed/);
    const lost = bareTrial("lost", { arm: "without_skill", ...error("timed-out") });
    const few = summarize(exampleResults([...pairs(5, 0), lost], live)).verdict.notes;
    expect(few).toContain(
      "1 of 6 trials without the skill ended in an error; they are in no rate.",
    );
    expect(few.join()).toContain("5 pairs are too few to show any difference");
  });

  it("needs no statistics when the model is deterministic", () => {
    const fixed = { arms: BOTH };
    expect(summarize(exampleResults(pairs(1, 0), fixed)).verdict.status).toBe("pass");
    expect(summarize(exampleResults(pairs(0, 3), fixed)).verdict.status).toBe("inconclusive");
  });

  it("does not count it as a success that a missing skill was not selected", () => {
    const trials = many(10, (id) => [
      bareTrial(id, { grades: [grade("trigger", "pass"), grade("output", "pass")] }),
      bareTrial(id, {
        arm: "without_skill",
        outcome: "fail",
        grades: [grade("trigger", "fail"), grade("output", "pass")],
      }),
    ]);
    const { verdict } = summarize(exampleResults(trials, live));
    expect(verdict.paired[0]?.difference.value).toBe(0);
    expect(verdict.status).toBe("inconclusive");
  });

  it("compares everything with another version of the skill", () => {
    const arms: Arm[] = [{ name: "with_skill" }, { name: "old_skill", reference: "v1" }];
    const trials = many(8, (id) => [
      bareTrial(id, { outcome: "fail", grades: [grade("trigger", "fail")] }),
      bareTrial(id, { arm: "old_skill", grades: [grade("trigger", "pass")] }),
    ]);
    const { verdict } = summarize(exampleResults(trials, { arms, isDeterministic: false }), {
      minimumPassRate: 0,
    });
    expect(verdict.paired[0]?.table.onlySecond).toBe(8);
    expect(verdict.status).toBe("fail");
    expect(verdict.sentence).toContain("Worse than the other version");
  });

  it("uses the means of cases with several trials", () => {
    const trials = many(6, (id) => [
      ...outputs(id, "with_skill", "pass", "pass", "pass"),
      ...outputs(id, "without_skill", "fail", "pass", "fail"),
    ]);
    const { output } = summarize(exampleResults(trials, { ...live, trials: 3 }));
    expect(output.paired[0]?.test).toEqual({ name: "sign-flip", p: 1 / 32, method: "exact" });
    expect(output.paired[0]?.difference.value).toBeCloseTo(2 / 3, 12);
    expect(output.arms[1]?.passed).toMatchObject({ n: 6, trials: 18 });
  });

  it("finds checks that tell nothing, never pass, do harm, or pass by chance", () => {
    const check = (text: string, ...outcomes: Outcome[]) =>
      outcomes.map((outcome) => grade("output", outcome, text));
    const rows = [
      check("easy", "pass", "pass", "pass", "pass"),
      check("impossible", "fail", "fail", "fail", "fail"),
      check("harmed", "fail", "fail", "pass", "pass"),
      check("shaky", "pass", "fail", "fail", "fail"),
      check("good", "pass", "pass", "fail", "fail"),
      check("in words", "unjudged", "unjudged", "unjudged", "unjudged"),
    ];
    const trials = [0, 1, 2, 3].map((i) =>
      bareTrial("a", {
        arm: i < 2 ? "with_skill" : "without_skill",
        trial: (i % 2) + 1,
        grades: rows.map((row) => row[i]!),
      }),
    );
    const { assertions } = summarize(exampleResults(trials, live)).output;
    expect(assertions.map(({ text, kind }) => [text, kind])).toEqual([
      ["easy", "never-discriminates"],
      ["impossible", "always-fails"],
      ["harmed", "harmful"],
      ["shaky", "flaky"],
    ]);
  });
});

describe("E-02 cost", () => {
  it("has percentiles, the catalog's cost in every request, and what activation adds", () => {
    const usage = bareTrial("x").usage;
    const trials = many(20, (id) => [
      bareTrial(id, { usage: { ...usage, inputTokens: 300 } }),
      bareTrial(id, { arm: "without_skill" }),
    ]);
    const { cost } = summarize(exampleResults(trials, { arms: BOTH }));
    expect(cost.catalogTokens).toBe(50);
    expect(cost.arms[0]?.tokens).toMatchObject({ n: 20, p50: 310, p95: 310, total: 6200 });
    expect(cost.changes[0]?.tokens).toEqual({
      value: 310 / 110,
      low: 310 / 110,
      high: 310 / 110,
      n: 20,
    });
    expect(cost.changes[0]?.activationTokens).toMatchObject({ n: 20, p50: 200 });
  });

  it("is null without a trial that ended", () => {
    const { cost } = summarize(exampleResults([bareTrial("a", error("timed-out"))]));
    expect(cost.catalogTokens).toBeNull();
    expect(cost.arms[0]?.tokens).toEqual({ n: 0, p50: null, p95: null, mean: null, total: 0 });
  });
});

it("E-02 tells pass@k and pass^k of several trials, with k less than their number", () => {
  const outcomes: Outcome[] = ["pass", "pass", "fail"];
  const trials = many(4, (id) => outputs(id, "with_skill", ...outcomes));
  const [arm] = summarize(exampleResults(trials, { trials: 3 })).verdict.arms;
  expect(arm?.repeated.map(({ k }) => k)).toEqual([1, 2, 3]);
  expect(arm?.repeated[2]).toMatchObject({ atLeastOne: { value: 1 }, all: { value: 0 } });
  expect(arm?.repeated[1]).toMatchObject({ atLeastOne: { value: 1, n: 4 }, all: { n: 4 } });
  expect(arm?.repeated[1]?.all.value).toBeCloseTo(1 / 3, 12);
  expect(
    summarize(exampleResults(many(3, (id) => [bareTrial(id)]))).verdict.arms[0]?.repeated,
  ).toEqual([]);
});

it("E-06 one case with one judged trial takes pass@k from no other", () => {
  const trials = [
    ...many(5, (id) => outputs(id, "with_skill", "pass", "fail", "pass")),
    ...outputs("errors", "with_skill", "pass", "error", "error"),
  ];
  const [arm] = summarize(exampleResults(trials, { trials: 3 })).verdict.arms;
  expect(arm?.repeated.map(({ k, all }) => [k, all.n])).toEqual([
    [1, 6],
    [2, 5],
    [3, 5],
  ]);
  expect(arm?.repeated[1]?.all.value).toBeCloseTo(1 / 3, 12);
});

it("E-06 needs as many cases as the squares of the differences say, also with several trials", () => {
  const trials = many(40, (id) => [
    ...outputs(
      id,
      "with_skill",
      ...(id.endsWith("0") ? (["pass", "pass"] as const) : (["pass", "fail"] as const)),
    ),
    ...outputs(id, "without_skill", "pass", "fail"),
  ]);
  const { output } = summarize(
    exampleResults(trials, { arms: BOTH, isDeterministic: false, trials: 2 }),
  );
  // Mean difference 0.05 and mean square 0.025: (1.96 √.025 + .84 √.0225)² / .05².
  expect(output.paired[0]?.pairsNeeded).toBe(77);
});

it("E-06 cost intervals hold the truth for a handful of cases", () => {
  const random = createRandom(5);
  const normal = () =>
    Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const usage = (tokens: number) => ({
    ...bareTrial("x").usage,
    inputTokens: tokens,
    outputTokens: 0,
  });
  for (const cases of [2, 5, 9]) {
    let held = 0;
    for (let run = 0; run < 400; run++) {
      const trials = many(cases, (id) => [
        bareTrial(id, { usage: usage(1000 * Math.exp(0.4 * normal())) }),
        bareTrial(id, { arm: "without_skill", usage: usage(1000 * Math.exp(0.4 * normal())) }),
      ]);
      const { cost } = summarize(exampleResults(trials, { arms: BOTH, isDeterministic: false }));
      const { low = 0, high = 0 } = cost.changes[0]?.tokens ?? {};
      if (low <= 1 && (high ?? Infinity) >= 1) held++;
    }
    expect(held / 400).toBeGreaterThan(0.9);
  }
  const one = summarize(
    exampleResults([bareTrial("a"), bareTrial("a", { arm: "without_skill" })], { arms: BOTH }),
  );
  expect(one.cost.changes[0]?.tokens).toEqual({ value: 1, low: 0, high: null, n: 1 });
});

it("E-02 sums up in the same way in whatever order trials ended, and as JSON that can be read back", () => {
  const someTrial = fc.record({
    caseId: fc.constantFrom("a", "b", "__proto__"),
    arm: fc.constantFrom<Arm["name"]>("with_skill", "without_skill"),
    outcome: fc.constantFrom<Outcome>("pass", "fail", "error", "unjudged"),
  });
  fc.assert(
    fc.property(fc.array(someTrial, { maxLength: 12 }), (given) => {
      const trials = given.map(({ caseId, arm, outcome }, i) =>
        bareTrial(caseId, { arm, trial: i + 1, outcome, grades: [grade("output", outcome)] }),
      );
      const setup = { arms: BOTH, isDeterministic: false };
      const summary = summarize(exampleResults(trials, setup));
      expect(JSON.parse(JSON.stringify(summary))).toEqual(summary);
      expect(summarize(exampleResults(trials.toReversed(), setup))).toEqual(summary);
      expect(Object.keys(summary)).toEqual([
        "schemaVersion",
        "verdict",
        "trigger",
        "sequence",
        "output",
        "cost",
        "cases",
      ]);
    }),
    { numRuns: 50 },
  );
});
