import { describe, expect, it } from "vitest";
import type { Grade, Outcome } from "../grade/grade.ts";
import type { EvalResults, EvalSetup, TrialResult } from "../results/eval-results.ts";
import { createRandom } from "../statistics/create-random.ts";
import type { CompareOptions } from "./compare-options.ts";
import { compareResults } from "./compare-results.ts";
import { comparisonExitCode } from "./comparison-exit-code.ts";
import type { EvalComparison } from "./eval-comparison.ts";

const SETUP: EvalSetup = {
  model: "offline",
  isDeterministic: true,
  seed: 1,
  trials: 1,
  arms: [{ name: "with_skill" }],
  skills: [{ name: "pdf", digest: "1" }],
  casesDigest: "sha256:0",
  version: "0.1.0",
  platform: "linux",
};
const LIVE = { isDeterministic: false };

function trial(caseId: string, change: Partial<TrialResult> = {}): TrialResult {
  return {
    caseId,
    title: caseId,
    input: "Do it.",
    origin: { file: "/evals.json", line: 1, dialect: "skillwright" },
    arm: "with_skill",
    trial: 1,
    outcome: "pass",
    grades: [],
    isMock: false,
    tags: [],
    skills: [],
    answer: "",
    status: "answered",
    steps: [],
    usage: usage(100),
    catalogTokens: 50,
    activationTokens: 0,
    runId: "r",
    ...change,
  };
}

function usage(inputTokens: number) {
  return { turns: 1, toolCalls: 2, scripts: 0, inputTokens, outputTokens: 0, cost: 0, timeMs: 5 };
}

function check(text: string, outcome: Outcome): Grade {
  return { metric: "output", text, outcome, score: outcome === "pass" ? 1 : 0, evidence: "" };
}

function results(trials: readonly TrialResult[], setup: Partial<EvalSetup> = {}): EvalResults {
  const times = { startedAt: "2026-01-01T00:00:00Z", endedAt: "2026-01-01T00:00:01Z" };
  return { schemaVersion: 1, id: "e", ...times, setup: { ...SETUP, ...setup }, trials };
}

/** Cases of which so many trials pass and fail: `"a 3/5"`. */
function shares(...texts: string[]): TrialResult[] {
  return texts.flatMap((text) => {
    const [, id = "", passed = "", judged = ""] = /^(.*) (\d+)\/(\d+)$/.exec(text) ?? [];
    return Array.from({ length: Number(judged) }, (_, i) =>
      trial(id, { trial: i + 1, outcome: i < Number(passed) ? "pass" : "fail" }),
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
    const before = results(shares("a 1/1", "b 1/1", "c 0/1"));
    const { status, exitCode, cases, sentence, gate } = compare(
      before,
      results(shares("a 1/1", "b 0/1", "c 1/1")),
    );
    expect({ status, exitCode, gate }).toEqual({ status: "regression", exitCode: 1, gate: null });
    expect(ids(cases.regressions)).toEqual(["b"]);
    expect(ids(cases.improvements)).toEqual(["c"]);
    expect(sentence).toBe("1 of 3 cases got worse: b.");
  });

  it("a case that fails as before, but in one check more, is a regression", () => {
    const graded = (second: Outcome) =>
      trial("a", { outcome: "fail", grades: [check("one", "fail"), check("two", second)] });
    const { cases } = compare(results([graded("pass")]), results([graded("fail")]));
    expect(cases.regressions).toMatchObject([{ caseId: "a", checks: ["two"] }]);
    expect(compare(results([graded("fail")]), results([graded("fail")])).status).toBe("same");
  });

  it("nothing worse is no regression", () => {
    expect(compare(results(shares("a 1/1")), results(shares("a 1/1")))).toMatchObject({
      status: "same",
      exitCode: 0,
      sentence: "Nothing changed in 1 case.",
    });
    expect(compare(results(shares("a 0/1")), results(shares("a 1/1")))).toMatchObject({
      status: "better",
      exitCode: 0,
    });
  });

  it("cost is judged against its budget and else only shown", () => {
    const before = results([trial("a"), trial("b")]);
    const now = results([trial("a"), trial("b", { usage: usage(130) })]);
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
    const priced = trial("a", { usage: { ...usage(100), cost: 0.5 } });
    const options = { costBudget: { cost: 10 } };
    expect(compare(results([trial("a")]), results([priced]), options).exitCode).toBe(1);
    expect(compare(results([trial("a")]), results([trial("a")]), options).exitCode).toBe(0);
  });
});

describe("E-04 of other models", () => {
  const many = (count: number, share: string) =>
    Array.from({ length: count }, (_, i) => `${i} ${share}`);

  it("one flip is a suspect and no regression", () => {
    const before = results(shares("x 1/1", ...many(200, "1/1")), LIVE);
    const now = results(shares("x 0/1", ...many(200, "1/1")), LIVE);
    const { status, exitCode, cases, gate, test } = compare(before, now);
    expect({ status, exitCode }).toEqual({ status: "same", exitCode: 0 });
    expect(ids(cases.suspects)).toEqual(["x"]);
    expect(gate).toMatchObject({ status: "pass", margin: 0.05, difference: { n: 201 } });
    expect(test).toMatchObject({ name: "mcnemar", p: 1 });
  });

  it("few cases are inconclusive, which stops nobody unless asked to", () => {
    const before = results(shares(...many(8, "1/1")), LIVE);
    const now = results(shares(...many(8, "1/1")), LIVE);
    expect(compare(before, now)).toMatchObject({ status: "inconclusive", exitCode: 0 });
    expect(compare(before, now, { failWhenInconclusive: true }).exitCode).toBe(1);
  });

  it("a loss of more than the margin is a regression", () => {
    const before = results(shares(...many(40, "1/1")), LIVE);
    const now = results(
      shares(...many(40, "1/1").map((one, i) => (i < 14 ? `${i} 0/1` : one))),
      LIVE,
    );
    expect(compare(before, now)).toMatchObject({ status: "regression", exitCode: 1 });
    expect(compare(before, now, { margin: 0.6 }).status).toBe("same");
  });

  it("one case that fails surely is found among many, after Holm", () => {
    const before = results(shares("x 8/8", ...many(20, "8/8")), LIVE);
    const { cases, status } = compare(
      before,
      results(shares("x 0/8", "0 6/8", ...many(20, "8/8").slice(1)), LIVE),
    );
    expect(status).toBe("regression");
    expect(ids(cases.regressions)).toEqual(["x"]);
    expect(cases.regressions[0]?.p).toBeCloseTo((21 * 2) / 12870, 6);
    expect(ids(cases.suspects)).toEqual(["0"]);
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
        results(
          rates.flatMap((rate, i) =>
            Array.from({ length: trials }, (_, number) =>
              trial(`${i}`, { trial: number + 1, outcome: random.next() < rate ? "pass" : "fail" }),
            ),
          ),
          LIVE,
        );
      if (compare(draw(), draw(), { margin: 0 }).status === "regression") alarms++;
    }
    expect(alarms / runs).toBeLessThanOrEqual(0.05);
  });
});

describe("E-04 what cannot be compared is said:", () => {
  it("cases that passed only sometimes in the baseline", () => {
    const { cases, notes, status } = compare(
      results(shares("a 1/2", "b 2/2")),
      results(shares("a 0/2", "b 2/2")),
    );
    expect(status).toBe("same");
    expect(ids(cases.quarantined)).toEqual(["a"]);
    expect(notes).toContain("Passed only sometimes in the baseline, and is left out: a.");
  });

  it("cases with another request, other skills or other checks", () => {
    const before = results([
      trial("a"),
      trial("b"),
      trial("c", { grades: [check("hard", "pass")] }),
      trial("d"),
    ]);
    const now = results(
      [
        trial("a", { input: "Other.", outcome: "fail" }),
        trial("b", { expectedSkills: { used: [], unused: [], only: true } }),
        trial("c", { grades: [check("easy", "pass")] }),
        trial("d"),
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
    expect(notes).toContain("Changed since the baseline, and is left out: a, b, c.");
  });

  it("new and missing cases, other models and skills", () => {
    const { cases, changes, notes } = compare(
      results(shares("a 1/1", "b 1/1")),
      results(shares("b 1/1", "c 0/1"), {
        model: "other",
        skills: [
          { name: "docx", digest: "3" },
          { name: "pdf", digest: "2" },
        ],
      }),
    );
    expect(cases).toMatchObject({ compared: 1, added: ["c"], failing: ["c"], missing: ["a"] });
    expect(changes).toMatchObject({
      model: { before: "offline", now: "other" },
      skills: [
        { name: "docx", change: "added" },
        { name: "pdf", change: "changed" },
      ],
    });
    expect(notes[0]).toContain("The models differ");
  });
});

describe("E-04 the exit code", () => {
  const failed = trial("b", {
    outcome: "error",
    error: { code: "timed-out", message: "late" },
  });

  it("is 4 when a case has no result any more, and 1 when another got worse as well", () => {
    const before = results(shares("a 1/1", "b 1/1"));
    const lost = compare(before, results([...shares("a 1/1"), failed]));
    expect(lost).toMatchObject({ status: "errors", exitCode: 4 });
    expect(lost.cases.errors).toEqual([{ caseId: "b", side: "now" }]);
    expect(compare(before, results([...shares("a 0/1"), failed])).exitCode).toBe(1);
  });

  it("is 1 when cases of the baseline are gone, unless only a part was asked for", () => {
    const before = results(shares("a 1/1", "b 1/1", "c 1/1"));
    const gone = compare(before, results(shares("a 1/1")));
    expect(gone).toMatchObject({
      status: "regression",
      exitCode: 1,
      sentence: "2 cases of the baseline are missing: b, c.",
      next: "skillwright eval --update-baseline",
    });
    expect(compare(before, results([]))).toMatchObject({ status: "regression", exitCode: 1 });
    const part = compare(before, results(shares("a 1/1")), { isPart: true });
    expect(part).toMatchObject({ status: "same", exitCode: 0 });
    expect(part.notes).toContain("Only a part was run: 2 cases of the baseline are not in it.");
  });

  it("is 1 when a new or an edited case fails, and the sentence says so", () => {
    const before = results(shares("a 1/1", "b 0/1"));
    const edited = trial("b", { input: "Do another thing.", outcome: "fail" });
    expect(compare(before, results([...shares("a 1/1", "c 1/2", "d 1/1"), edited]))).toMatchObject({
      status: "regression",
      exitCode: 1,
      sentence: "2 new or changed cases fail: b, c.",
      cases: { failing: ["b", "c"] },
    });
    expect(compare(before, results(shares("a 1/1", "b 0/1", "d 1/1"))).status).toBe("same");
  });

  it("is 4 when there is nothing to compare", () => {
    for (const [before, now] of [
      [results([]), results(shares("a 1/1"))],
      [
        results([trial("a", { outcome: "unjudged" })]),
        results([trial("a", { outcome: "unjudged" })]),
      ],
    ] as const) {
      expect(compare(before, now)).toMatchObject({ status: "no-data", exitCode: 4 });
    }
  });

  it.each<[CompareOptions, string]>([
    [{ margin: 1.5 }, "margin-invalid"],
    [{ margin: Number.NaN }, "margin-invalid"],
    [{ costBudget: { tokens: -1 } }, "budget-invalid"],
  ])("is 2 for options %j", (options, code) => {
    const comparison = compareResults(results([]), results([]), options);
    expect(comparison).toMatchObject({ ok: false, code });
    expect(comparisonExitCode(comparison)).toBe(2);
  });

  it("is 2 when the baseline is of another arm", () => {
    const bare = results([trial("a", { arm: "without_skill" })]);
    expect(compareResults(bare, results(shares("a 1/1")))).toMatchObject({
      ok: false,
      code: "arm-missing",
      candidates: ["without_skill"],
    });
  });
});
