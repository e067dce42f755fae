import { describe, expect, it } from "vitest";
import {
  adviseDescription,
  type AdviseDescriptionOptions,
  type DescriptionAdvice,
  type EvalCase,
  type ExpectedSkills,
  type TrialResult,
} from "../index.ts";

const CATALOG = [
  { name: "pdf-forms", description: "Fills in PDF forms." },
  { name: "letters", description: "Writes business letters and envelopes." },
  { name: "taxes", description: "Computes income taxes." },
];

function evalCase(id: string, input: string, skills: ExpectedSkills): EvalCase {
  return {
    id,
    title: id,
    input,
    files: [],
    expected: { skills, sequence: [], output: [], statements: [] },
    constraints: { forbiddenTools: [], requiredTools: [] },
    tags: [],
    origin: { file: "/evals.json", line: 1, dialect: "evals-json" },
  };
}

const want = (...used: string[]): ExpectedSkills => ({ used, unused: [], only: false });

function advise(
  cases: readonly EvalCase[],
  more: Partial<AdviseDescriptionOptions> = {},
): DescriptionAdvice {
  const advice = adviseDescription({ skill: "pdf-forms", catalog: CATALOG, cases, ...more });
  if (!advice.ok) throw new Error(advice.message);
  return advice;
}

const QUESTIONNAIRE = evalCase("1", "Please answer this questionnaire", want("pdf-forms"));

describe("E-02 advice for a description", () => {
  it("takes words of missed requests that nobody claims", () => {
    const advice = advise([QUESTIONNAIRE, evalCase("2", "Fill in the form", want("pdf-forms"))]);
    expect(advice.missed).toEqual([
      { caseId: "1", input: "Please answer this questionnaire", isFirstByWords: false },
    ]);
    expect(advice.accepted).toEqual([{ word: "answer", gains: ["1"] }]);
    expect(advice.rejected).toEqual([
      { word: "questionnaire", reason: "not-needed", detail: "answer" },
    ]);
    expect(advice.description).toBe("Fills in PDF forms. Also for: answer.");
  });

  it("leaves words to the neighbours that have them", () => {
    const { rejected, missed } = advise([
      evalCase("1", "Compute the taxes on this sheet", want("pdf-forms")),
    ]);
    expect(missed[0]?.winner).toBe("taxes");
    expect(rejected).toContainEqual({ word: "taxes", reason: "claimed", detail: "taxes" });
    expect(rejected).toContainEqual({
      word: "sheet",
      reason: "no-effect",
      detail: "no missed request would be found by it alone",
    });
  });

  it("rejects a word that would steal a request of a neighbour, and says which", () => {
    const guard = evalCase("2", "Print the questionnaire", want("letters"));
    const { accepted, rejected } = advise([QUESTIONNAIRE, guard]);
    expect(accepted.map(({ word }) => word)).toEqual(["answer"]);
    expect(rejected).toEqual([
      { word: "questionnaire", reason: "steals", detail: '"Print the questionnaire" of letters' },
    ]);
  });

  it.each<[string, ExpectedSkills]>([
    ["rules it out", { used: [], unused: ["pdf-forms"], only: false }],
    ["wants no skill", { used: [], unused: [], only: true }],
  ])("rejects a word that would take a request that %s", (_, skills) => {
    const guards = [
      evalCase("2", "The answer is no", skills),
      evalCase("3", "What is a questionnaire?", skills),
    ];
    const { accepted, rejected, description } = advise([QUESTIONNAIRE, ...guards]);
    expect(accepted).toEqual([]);
    expect(rejected.map(({ reason }) => reason)).toEqual(["steals", "steals"]);
    expect(description).toBeUndefined();
  });

  it("rests on what a model missed, and says when words are not the reason", () => {
    const found = evalCase("2", "Fill in the form", want("pdf-forms"));
    const trials = [
      { caseId: "1", arm: "with_skill", outcome: "pass", skills: ["pdf-forms"] },
      { caseId: "2", arm: "with_skill", outcome: "fail", skills: [] },
    ] as unknown as readonly TrialResult[];
    const { missed, accepted } = advise([QUESTIONNAIRE, found], { trials });
    expect(missed).toEqual([{ caseId: "2", input: "Fill in the form", isFirstByWords: true }]);
    expect(accepted).toEqual([]);
  });

  it("is the same in whatever order the catalog comes, and changes nothing of it", () => {
    const cases = [QUESTIONNAIRE, evalCase("2", "Complete my application", want("pdf-forms"))];
    const before = JSON.stringify(CATALOG);
    expect(advise(cases, { catalog: CATALOG.toReversed() })).toEqual(advise(cases));
    expect(JSON.stringify(CATALOG)).toBe(before);
    expect(advise(cases).accepted).toHaveLength(2);
  });

  it("needs a skill that is there", () => {
    expect(adviseDescription({ skill: "tax", catalog: CATALOG, cases: [] })).toMatchObject({
      ok: false,
      code: "skill-unknown",
    });
  });
});
