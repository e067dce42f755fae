import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bareTrial, exampleResults } from "../../../../test/support/example-results.ts";
import { type AnswerPreference, summarize } from "../index.ts";
import { summarizePreferences } from "./index.ts";

type Told = "first" | "second" | "tie" | "order" | "error";

function told(caseId: string, ...results: Told[]): AnswerPreference[] {
  return results.map((result, at) => {
    const about = { caseId, trial: at + 1, other: "without_skill" } as const;
    if (result === "error") return { ...about, error: { code: "judge-failed", message: "oh" } };
    if (result !== "order") return { ...about, winner: result, evidence: "e" };
    return { ...about, winner: "tie", evidence: "e", dependsOnOrder: true };
  });
}

const many = (count: number, name: string, ...results: Told[]) =>
  Array.from({ length: count }, (_, at) => told(`${name}${at}`, ...results)).flat();

describe("summarizePreferences", () => {
  it("E-02 counts cases and tests their signs, exactly", () => {
    const [one] = summarizePreferences([
      ...many(7, "win", "first"),
      ...many(2, "loss", "second"),
      ...many(3, "order", "order"),
      ...told("lost", "error"),
    ]);
    expect(one).toMatchObject({
      other: "without_skill",
      wins: 7,
      losses: 2,
      ties: 3,
      errors: 1,
      comparisons: { total: 13, dependOnOrder: 3, errors: 1 },
      winRate: { successes: 7, n: 9 },
    });
    // 2 · (1 + 9 + 36) / 2⁹.
    expect(one?.p).toBeCloseTo(92 / 512, 12);
    expect(one?.sentence).toBe(
      "The judge prefers the answers of the tested arm to those without the skill in 7 of 9 decided cases (95 % interval 45 to 94 %), p = 0.18, which cannot be told from chance; 3 more cases are ties; 3 of 13 comparisons depend on the order and are ties; 1 comparison could not be made.",
    );
  });

  it("E-02 the trials of a case are one vote", () => {
    const [one] = summarizePreferences([
      ...told("a", "first", "first", "second"),
      ...told("b", "first", "second", "tie"),
      ...told("c", "error", "second"),
      ...told("d", "error", "error"),
    ]);
    expect(one).toMatchObject({ wins: 1, losses: 1, ties: 1, errors: 1, p: 1 });
    const [pooled] = summarizePreferences(told("a", ...Array<Told>(100).fill("first")));
    expect(pooled).toMatchObject({ wins: 1, p: 1 });
    expect(pooled?.sentence).toContain("too few to show a preference");
  });

  it("E-02 a judge that decides nothing is said to", () => {
    const [one] = summarizePreferences(many(4, "x", "order"));
    expect(one).toMatchObject({ wins: 0, losses: 0, ties: 4, p: 1, winRate: { value: null } });
    expect(one?.sentence).toBe(
      "The judge decides no case between the answers of the tested arm and those without the skill: 4 cases are ties; 4 of 4 comparisons depend on the order and are ties.",
    );
    expect(summarizePreferences(told("x", "error"))[0]?.sentence).toContain("told nothing");
  });

  it("E-02 changing sides changes nothing but the sides, in whatever order they come", () => {
    const results = fc.constantFrom<Told[]>("first", "second", "tie", "order", "error");
    const cases = fc.array(fc.array(results, { minLength: 1, maxLength: 4 }), { minLength: 1 });
    fc.assert(
      fc.property(cases, (all) => {
        const swap = (one: Told) => (one === "first" ? "second" : one === "second" ? "first" : one);
        const [own] = summarizePreferences(all.flatMap((some, at) => told(`${at}`, ...some)));
        const [other] = summarizePreferences(
          all.flatMap((some, at) => told(`${at}`, ...some.map(swap))).toReversed(),
        );
        expect([own?.wins, own?.losses, own?.ties, own?.p]).toEqual([
          other?.losses,
          other?.wins,
          other?.ties,
          other?.p,
        ]);
        const { wins = 0, losses = 0, ties = 0, errors = 0 } = own ?? {};
        expect(wins + losses + ties + errors).toBe(all.length);
      }),
    );
  });

  it("E-02 stands in the summary and in the notes, and changes no verdict", () => {
    const trials = [bareTrial("a"), bareTrial("a", { arm: "without_skill" })];
    const plain = exampleResults(trials, {
      arms: [{ name: "with_skill" }, { name: "without_skill" }],
    });
    const without = summarize(plain);
    const judged = summarize({ ...plain, preferences: told("a", "second") });
    expect(without).not.toHaveProperty("preferences");
    expect(judged.preferences).toMatchObject([{ losses: 1 }]);
    expect(judged.verdict).toEqual({
      ...without.verdict,
      notes: expect.arrayContaining([judged.preferences?.[0]?.sentence]) as string[],
    });
  });
});
