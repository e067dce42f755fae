import { describe, expect, it } from "vitest";
import { bareTrial, exampleResults } from "../../../../test/support/example-results.ts";
import {
  type CompareOptions,
  compareResults,
  comparisonExitCode,
  type EvalComparison,
  type EvalResults,
  type Grade,
  type Outcome,
  planRetries,
  summarize,
  type TrialResult,
} from "../index.ts";
import { createRandom } from "../statistics/index.ts";

const LIVE = { isDeterministic: false };
const SMOKE = "Smoke test: offline:rules decided, not a language model.";

function usage(inputTokens: number) {
  return { turns: 1, toolCalls: 2, scripts: 0, inputTokens, outputTokens: 0, cost: 0, timeMs: 5 };
}

function check(text: string, outcome: Outcome): Grade {
  return { metric: "output", text, outcome, score: outcome === "pass" ? 1 : 0, evidence: "" };
}

/** Cases of which so many trials pass and fail: `"a 3/5"`. */
function shares(...texts: string[]): TrialResult[] {
  return texts.flatMap((text) => {
    const [, id = "", passed = "", judged = ""] = /^(.*) (\d+)\/(\d+)$/.exec(text) ?? [];
    return Array.from({ length: Number(judged) }, (_, i) =>
      bareTrial(id, { trial: i + 1, outcome: i < Number(passed) ? "pass" : "fail" }),
    );
  });
}

function compare(
  before: EvalResults,
  now: EvalResults,
  options?: CompareOptions,
): EvalComparison & { readonly exitCode: number } {
  const comparison = compareResults(before, now, options);
  if (!comparison.ok) throw new Error(comparison.message);
  return { ...comparison, exitCode: comparisonExitCode(comparison, options) };
}

const ids = (flips: readonly { readonly caseId: string }[]) => flips.map(({ caseId }) => caseId);

describe("E-04 of deterministic models", () => {
  it("any case that passes no more is a regression", () => {
    const before = exampleResults(shares("a 1/1", "b 1/1", "c 0/1"));
    const { status, exitCode, cases, sentence, gate } = compare(
      before,
      exampleResults(shares("a 1/1", "b 0/1", "c 1/1")),
    );
    expect({ status, exitCode, gate }).toEqual({ status: "regression", exitCode: 1, gate: null });
    expect(ids(cases.regressions)).toEqual(["b"]);
    expect(ids(cases.improvements)).toEqual(["c"]);
    expect(sentence).toBe(`1 of 3 cases got worse: b. ${SMOKE}`);
  });

  it("a case that fails as before, but in one check more, is a regression", () => {
    const graded = (second: Outcome) =>
      bareTrial("a", { outcome: "fail", grades: [check("one", "fail"), check("two", second)] });
    const { cases } = compare(exampleResults([graded("pass")]), exampleResults([graded("fail")]));
    expect(cases.regressions).toMatchObject([{ caseId: "a", checks: ["two"] }]);
    expect(compare(exampleResults([graded("fail")]), exampleResults([graded("fail")])).status).toBe(
      "same",
    );
  });

  it("nothing worse is no regression", () => {
    expect(compare(exampleResults(shares("a 1/1")), exampleResults(shares("a 1/1")))).toMatchObject(
      {
        status: "same",
        exitCode: 0,
        sentence: `Nothing changed in 1 case. ${SMOKE}`,
      },
    );
    expect(compare(exampleResults(shares("a 0/1")), exampleResults(shares("a 1/1")))).toMatchObject(
      {
        status: "better",
        exitCode: 0,
      },
    );
  });

  it("cost is judged against its budget and else only shown", () => {
    const costing = (tokens: number) =>
      exampleResults([
        bareTrial("a", { usage: usage(100) }),
        bareTrial("b", { usage: usage(tokens) }),
      ]);
    const [before, now] = [costing(100), costing(130)];
    expect(compare(before, now).status).toBe("same");
    expect(compare(before, now, { costBudget: { tokens: 0.15 } }).status).toBe("same");
    const over = compare(before, now, { costBudget: { tokens: 0.1 } });
    expect(over).toMatchObject({ status: "regression", exitCode: 1 });
    expect(over.sentence).toContain("Tokens per case grew from 100 to 115 in 2 cases");
    expect(over.cost.find(({ measure }) => measure === "tokens")?.ratio).toMatchObject({
      value: 1.15,
      n: 2,
    });
  });

  it("a cost where there was none is over any budget", () => {
    const priced = bareTrial("a", { usage: { ...usage(100), cost: 0.5 } });
    const options = { costBudget: { cost: 10 } };
    expect(
      compare(exampleResults([bareTrial("a")]), exampleResults([priced]), options).exitCode,
    ).toBe(1);
    expect(
      compare(exampleResults([bareTrial("a")]), exampleResults([bareTrial("a")]), options).exitCode,
    ).toBe(0);
  });
});

describe("E-04 of other models", () => {
  const many = (count: number, share: string) =>
    Array.from({ length: count }, (_, i) => `${i} ${share}`);

  it("one flip is a suspect and no regression", () => {
    const before = exampleResults(shares("x 1/1", ...many(200, "1/1")), LIVE);
    const now = exampleResults(shares("x 0/1", ...many(200, "1/1")), LIVE);
    const { status, exitCode, cases, gate, test } = compare(before, now);
    expect({ status, exitCode }).toEqual({ status: "same", exitCode: 0 });
    expect(ids(cases.suspects)).toEqual(["x"]);
    expect(gate).toMatchObject({ status: "pass", margin: 0.05, difference: { n: 201 } });
    expect(test).toMatchObject({ name: "mcnemar", p: 1 });
  });

  it("few cases are inconclusive, which stops nobody unless asked to", () => {
    const before = exampleResults(shares(...many(8, "1/1")), LIVE);
    const now = exampleResults(shares(...many(8, "1/1")), LIVE);
    expect(compare(before, now)).toMatchObject({ status: "inconclusive", exitCode: 0 });
    expect(compare(before, now, { failWhenInconclusive: true }).exitCode).toBe(1);
  });

  it("a loss of more than the margin is a regression", () => {
    const before = exampleResults(shares(...many(40, "1/1")), LIVE);
    const now = exampleResults(
      shares(...many(40, "1/1").map((one, i) => (i < 14 ? `${i} 0/1` : one))),
      LIVE,
    );
    expect(compare(before, now)).toMatchObject({ status: "regression", exitCode: 1 });
    expect(compare(before, now, { margin: 0.6 }).status).toBe("same");
  });

  it("E-06 one case that fails surely is found among many", () => {
    const before = exampleResults(shares("x 8/8", ...many(20, "8/8")), LIVE);
    const { cases, status } = compare(
      before,
      exampleResults(shares("x 0/8", "0 6/8", ...many(20, "8/8").slice(1)), LIVE),
    );
    expect(status).toBe("regression");
    expect(ids(cases.regressions)).toEqual(["x"]);
    expect(cases.regressions[0]?.p).toBeCloseTo(1 / 12870, 9);
    expect(cases.suspects).toEqual([]);
  });

  it.each([
    [30, 1],
    [12, 5],
  ])("without a change %d cases with %d trials alarm in at most 5 of 100 runs", (count, trials) => {
    const random = createRandom(count);
    const runs = 300;
    let alarms = 0;
    for (let run = 0; run < runs; run++) {
      const rates = Array.from({ length: count }, () => random.next() ** 0.25);
      const draw = () =>
        exampleResults(
          rates.flatMap((rate, i) =>
            Array.from({ length: trials }, (_, number) =>
              bareTrial(`${i}`, {
                trial: number + 1,
                outcome: random.next() < rate ? "pass" : "fail",
              }),
            ),
          ),
          LIVE,
        );
      if (compare(draw(), draw(), { margin: 0 }).status === "regression") alarms++;
    }
    expect(alarms / runs).toBeLessThanOrEqual(0.05);
  });
});

describe("E-06 cases that look worse are tried again before a verdict", () => {
  const hundred = Array.from({ length: 100 }, (_, i) => `${i} 5/5`);
  const lost = hundred.map((one, i) => (i < 5 ? `${i} 0/5` : one));
  const before = exampleResults(shares(...hundred), LIVE);
  const now = exampleResults(shares(...lost), LIVE);
  const again = (arm: TrialResult["arm"], caseId: string, count: number, outcome: Outcome) =>
    Array.from({ length: count }, (_, i) =>
      bareTrial(caseId, { arm, trial: 6 + i, outcome, isRetry: true }),
    );

  it("until then it is inconclusive, and says which ones", () => {
    const { status, cases, sentence } = compare(before, now);
    expect(status).toBe("inconclusive");
    expect(ids(cases.suspects)).toEqual(["0", "1", "2", "3", "4"]);
    expect(sentence).toMatch(/^5 cases may have got worse: 0 \(5\/5, now 0\/5\), 1 /);
    expect(planRetries(cases, { isBaselineSaved: true })).toEqual(
      ["0", "1", "2", "3", "4"].map((caseId) => ({ caseId, trials: 12 })),
    );
    expect(planRetries(cases, { isBaselineSaved: false })[0]).toEqual({ caseId: "0", trials: 6 });
  });

  it("then it is a regression, and says that the baseline was not tried again", () => {
    const retries = ["0", "1", "2", "3", "4"].flatMap((id) => again("with_skill", id, 12, "fail"));
    const settled = compare(before, { ...now, trials: [...now.trials, ...retries] });
    expect(settled).toMatchObject({ status: "regression", exitCode: 1 });
    expect(settled.cases.regressions[0]).toMatchObject({ now: { passed: 0, judged: 17 } });
    expect(settled.notes.join()).toContain(
      "Tried again only on the new version, since the baseline is saved, because they looked worse: 0, 1",
    );
  });

  it("one that was unlucky is cleared, and its further trials are in no rate", () => {
    const one = exampleResults(shares(...hundred.slice(1), "0 1/5"), LIVE);
    expect(compare(before, one).status).toBe("inconclusive");
    const retries = again("with_skill", "0", 12, "pass");
    const settled = compare(before, { ...one, trials: [...one.trials, ...retries] });
    expect(settled).toMatchObject({ status: "same", cases: { regressions: [] } });
    expect(settled.gate?.difference.value).toBeCloseTo(-0.008, 12);
    const { verdict } = summarize({ ...one, trials: [...one.trials, ...retries] });
    expect(verdict.arms[0]).toMatchObject({ trials: 500, passed: { trials: 500 } });
  });

  it("against a single trial of a saved baseline there is no use in it", () => {
    const { cases } = compare(
      exampleResults(shares("a 1/1", "b 1/1"), LIVE),
      exampleResults(shares("a 0/1", "b 1/1"), LIVE),
    );
    expect(planRetries(cases, { isBaselineSaved: true })).toEqual([]);
    expect(planRetries(cases, { isBaselineSaved: false })).toEqual([{ caseId: "a", trials: 8 }]);
  });

  it("two versions side by side are both tried again, and a case that fell is a failure", () => {
    const arms = [{ name: "with_skill" }, { name: "old_skill" }] as const;
    const old = shares(...hundred).map((one) => ({ ...one, arm: "old_skill" as const }));
    const first = { ...now, setup: { ...now.setup, arms }, trials: [...now.trials, ...old] };
    const [paired] = summarize(first, { minimumPassRate: 0 }).verdict.paired;
    expect(paired?.flips?.suspects).toHaveLength(5);
    const retries = ["0", "1"].flatMap((id) => [
      ...again("with_skill", id, 5, "fail"),
      ...again("old_skill", id, 5, "pass"),
    ]);
    const { verdict } = summarize(
      { ...first, trials: [...first.trials, ...retries] },
      { minimumPassRate: 0 },
    );
    expect(verdict.status).toBe("fail");
    expect(verdict.sentence).toContain(
      "Worse than the other version in 2 cases: 0 (10/10, now 0/10)",
    );
  });
});

describe("E-06 recordings", () => {
  const results = (recording: string, ...texts: string[]) =>
    exampleResults(shares(...texts), { ...LIVE, model: "x:y", recording });

  it("two are compared with statistics, one with itself exactly", () => {
    const before = results("sha256:1", "a 1/1", "b 1/1");
    const other = compare(before, results("sha256:2", "a 0/1", "b 1/1"));
    expect(other).toMatchObject({ status: "inconclusive", isDeterministic: false });
    expect(other.sentence).toMatch(/Decided by x:y, recorded\.$/);
    const same = compare(before, results("sha256:1", "a 0/1", "b 1/1"));
    expect(same).toMatchObject({ status: "regression", isDeterministic: true });
  });
});

describe("E-04 what cannot be compared is said:", () => {
  it("cases that passed only sometimes in the baseline", () => {
    const { cases, notes, status } = compare(
      exampleResults(shares("a 1/2", "b 2/2")),
      exampleResults(shares("a 0/2", "b 2/2")),
    );
    expect(status).toBe("same");
    expect(ids(cases.quarantined)).toEqual(["a"]);
    expect(notes).toContain("Left out, because they passed only sometimes in the baseline: a.");
  });

  it("of other models they count as all do, and each stands in one list", () => {
    const { cases, gate, cost } = compare(
      exampleResults(shares("a 4/8", "b 8/8", "c 7/8", "d 8/8"), LIVE),
      exampleResults(shares("a 8/8", "b 8/8", "c 0/8", "d 7/8"), LIVE),
    );
    expect(cases.compared).toBe(4);
    expect(gate?.difference.n).toBe(4);
    expect(cost.map(({ ratio }) => ratio?.n ?? 4)).toEqual([4, 4, 4, 4, 4]);
    expect(ids(cases.regressions)).toEqual(["c"]);
    expect(ids(cases.improvements)).toEqual(["a"]);
    expect([cases.quarantined, cases.suspects]).toEqual([[], []]);
  });

  it("cases with another request, other skills or other checks", () => {
    const before = exampleResults([
      bareTrial("a"),
      bareTrial("b"),
      bareTrial("c", { grades: [check("hard", "pass")] }),
      bareTrial("d"),
    ]);
    const now = exampleResults(
      [
        bareTrial("a", { input: "Other.", outcome: "fail" }),
        bareTrial("b", { expectedSkills: { used: [], unused: [], only: true } }),
        bareTrial("c", { grades: [check("easy", "pass")] }),
        bareTrial("d"),
      ],
      { casesDigest: "sha256:1" },
    );
    const { cases, changes, notes } = compare(before, now);
    expect(cases.changed.map(({ caseId, why }) => `${caseId}: ${why}`)).toEqual([
      "a: its request is another",
      "b: it expects other skills",
      "c: its checks are others",
    ]);
    expect(changes.areCasesChanged).toBe(true);
    expect(notes).toContain("Changed since the baseline, and left out: a, b, c.");
  });

  it("new and missing cases, other models and skills", () => {
    const { cases, changes, notes } = compare(
      exampleResults(shares("a 1/1", "b 1/1")),
      exampleResults(shares("b 1/1", "c 0/1"), {
        model: "other",
        skills: [
          { name: "docx", digest: "3" },
          { name: "pdf", digest: "2" },
        ],
      }),
    );
    expect(cases).toMatchObject({ compared: 1, added: ["c"], failing: ["c"], missing: ["a"] });
    expect(changes).toMatchObject({
      model: { before: "offline:rules", now: "other" },
      skills: [
        { name: "docx", change: "added" },
        { name: "pdf", change: "changed" },
      ],
    });
    expect(notes[0]).toContain("The models differ");
  });

  it("another judge, and none where there was one", () => {
    const judgedBy = (judge?: string) =>
      exampleResults(shares("a 1/1"), judge === undefined ? {} : { judge });
    const compared = (before?: string, now?: string) => {
      const comparison = compareResults(judgedBy(before), judgedBy(now));
      if (!comparison.ok) throw new Error(comparison.message);
      const { changes, notes } = comparison;
      return [changes.judge, notes.filter((note) => note.startsWith("The judges differ")).length];
    };
    expect(compared("a:b#1", "a:b#2")).toEqual([{ before: "a:b#1", now: "a:b#2" }, 1]);
    expect(compared("a:b#1", undefined)).toEqual([{ before: "a:b#1", now: "none" }, 1]);
    expect(compared("a:b#1", "a:b#1")).toEqual([null, 0]);
    expect(compared()).toEqual([null, 0]);
  });

  it("another version that is not the one of before", () => {
    const against = (digest?: string) =>
      exampleResults(shares("a 1/1"), {
        arms: [
          { name: "with_skill" },
          { name: "old_skill", reference: "old", ...(digest !== undefined && { digest }) },
        ],
      });
    const notes = (before?: string, now?: string) => compare(against(before), against(now)).notes;
    expect(notes("sha256:1", "sha256:2")).toEqual([expect.stringContaining("(--against)")]);
    expect(notes(undefined, "sha256:2")).toHaveLength(1);
    expect(notes("sha256:1", "sha256:1")).toEqual([]);
    expect(compare(against("sha256:1"), exampleResults(shares("a 1/1"))).notes).toEqual([]);
  });
});

describe("E-04 the exit code", () => {
  const failed = bareTrial("b", {
    outcome: "error",
    error: { code: "timed-out", message: "late" },
  });

  it("E-05 few errors leave doubt, which can fail the build; many say nothing", () => {
    const many = Array.from({ length: 9 }, (_, i) => `${i} 1/1`);
    const before = exampleResults(shares(...many, "b 1/1"));
    const now = exampleResults([...shares(...many), failed]);
    const lost = compare(before, now);
    expect(lost).toMatchObject({ status: "inconclusive", exitCode: 0 });
    expect(lost.sentence).toMatch(
      /^1 case could not be judged now: b\. 1 of 10 trials ended in an/,
    );
    expect(lost.cases.errors).toEqual([{ caseId: "b", side: "now" }]);
    expect(compare(before, now, { failWhenInconclusive: true }).exitCode).toBe(1);
    expect(compare(before, now, { maximumErrorRate: 0.09 })).toMatchObject({
      status: "errors",
      exitCode: 4,
    });
    const worse = exampleResults([...shares(...many.slice(1), "0 0/1"), failed]);
    expect(compare(before, worse).exitCode).toBe(1);
    expect(compare(before, worse, { maximumErrorRate: 0.09 }).exitCode).toBe(4);
  });

  it("E-06 a failing case whose baseline has no result counts", () => {
    const before = exampleResults([...shares("a 1/1"), failed]);
    expect(compare(before, exampleResults(shares("a 1/1", "b 0/1")))).toMatchObject({
      status: "regression",
      exitCode: 1,
      cases: { failing: ["b"] },
    });
    expect(compare(before, exampleResults(shares("a 1/1", "b 1/1"))).exitCode).toBe(0);
  });

  it("is 4 when too many trials are errors, though every case has a result and some failed before", () => {
    const five = (errors: number) =>
      ["a", "b"].flatMap((id) =>
        Array.from({ length: 5 }, (_, i) => {
          const outcome = id === "a" ? "pass" : "fail";
          return bareTrial(
            id,
            i < errors ? { ...failed, caseId: id, trial: i + 1 } : { outcome, trial: i + 1 },
          );
        }),
      );
    for (const setup of [{}, LIVE]) {
      const before = exampleResults(five(0), setup);
      const lost = compare(before, exampleResults(five(4), setup));
      expect(lost).toMatchObject({ status: "errors", exitCode: 4 });
      expect(lost.sentence).toBe(
        `Too many errors to judge. 8 of 10 trials ended in an error, first timed-out in a: late. ${SMOKE}`,
      );
      const borne = compare(before, exampleResults(five(4), setup), { maximumErrorRate: 0.8 });
      expect(borne.exitCode).toBe(0);
      expect(compare(exampleResults(five(4), setup), before).notes).toContain(
        "8 of 10 trials of the baseline ended in an error.",
      );
    }
  });

  it("is 4 when a new case has no result", () => {
    const now = exampleResults([...shares("a 1/1"), failed]);
    expect(compare(exampleResults(shares("a 1/1")), now)).toMatchObject({
      status: "errors",
      exitCode: 4,
      errors: { now: { errors: 1, trials: 2, lost: ["b"] } },
    });
  });

  it("is 1 when cases of the baseline are gone, unless only a part was asked for", () => {
    const before = exampleResults(shares("a 1/1", "b 1/1", "c 1/1"));
    const gone = compare(before, exampleResults(shares("a 1/1")));
    expect(gone).toMatchObject({
      status: "regression",
      exitCode: 1,
      sentence: `2 cases of the baseline are missing: b, c. ${SMOKE}`,
      next: "skillwright eval --update-baseline",
    });
    expect(compare(before, exampleResults([]))).toMatchObject({
      status: "regression",
      exitCode: 1,
    });
    const part = compare(before, exampleResults(shares("a 1/1")), { isPart: true });
    expect(part).toMatchObject({ status: "same", exitCode: 0 });
    expect(part.notes).toContain("Only a part was run: 2 cases of the baseline left out.");
  });

  it("is 1 when a new or an edited case fails, and the sentence says so", () => {
    const before = exampleResults(shares("a 1/1", "b 0/1"));
    const edited = bareTrial("b", { input: "Do another thing.", outcome: "fail" });
    expect(
      compare(before, exampleResults([...shares("a 1/1", "c 1/2", "d 1/1"), edited])),
    ).toMatchObject({
      status: "regression",
      exitCode: 1,
      sentence: `2 cases fail without a result to compare with: b, c. ${SMOKE}`,
      cases: { failing: ["b", "c"] },
    });
    expect(compare(before, exampleResults(shares("a 1/1", "b 0/1", "d 1/1"))).status).toBe("same");
  });

  it("is 4 when there is nothing to compare", () => {
    for (const [before, now] of [
      [exampleResults([]), exampleResults(shares("a 1/1"))],
      [
        exampleResults([bareTrial("a", { outcome: "unjudged" })]),
        exampleResults([bareTrial("a", { outcome: "unjudged" })]),
      ],
    ] as const) {
      expect(compare(before, now)).toMatchObject({ status: "no-data", exitCode: 4 });
    }
  });

  it.each<[CompareOptions, string]>([
    [{ margin: 1.5 }, "margin-invalid"],
    [{ margin: Number.NaN }, "margin-invalid"],
    [{ maximumErrorRate: 2 }, "error-rate-invalid"],
    [{ costBudget: { tokens: -1 } }, "budget-invalid"],
  ])("is 2 for options %j", (options, code) => {
    const comparison = compareResults(exampleResults([]), exampleResults([]), options);
    expect(comparison).toMatchObject({ ok: false, code });
    expect(comparisonExitCode(comparison)).toBe(2);
  });

  it("is 2 when the baseline is of another arm", () => {
    const bare = exampleResults([bareTrial("a", { arm: "without_skill" })]);
    expect(compareResults(bare, exampleResults(shares("a 1/1")))).toMatchObject({
      ok: false,
      code: "arm-missing",
      candidates: ["without_skill"],
    });
  });
});
