import { describe, expect, it } from "vitest";
import { type EvalCase, type SuggestedNegative, suggestNegatives } from "../index.ts";
import { phrasesOf } from "./index.ts";

const CATALOG = [
  {
    name: "pdf-forms",
    description:
      "Fills in PDF forms and reads their fields. Use when the user wants to fill a PDF form or list its fields.",
  },
  {
    name: "pdf-merge",
    description:
      'Merges and splits PDF files. Use when somebody wants to merge PDF files, split a PDF into pages, or says "put these scans into one PDF". Do not use for forms.',
  },
  {
    name: "web-forms",
    description: "Builds HTML forms for web pages. Use when a web form with many fields is needed.",
  },
  { name: "weather", description: "Tells the weather of a city for the next days." },
];

function negatives(skill: string, cases: readonly EvalCase[] = []): readonly SuggestedNegative[] {
  const found = suggestNegatives({ skill, catalog: CATALOG, cases });
  if ("ok" in found) throw new Error(found.message);
  return found;
}

describe("E-02 near-miss negatives", () => {
  it("belong to a neighbour, share words with the skill, and the nearest come first", () => {
    const found = negatives("pdf-forms");
    expect(found.length).toBeGreaterThan(2);
    for (const { neighbour, shared, expected } of found) {
      expect(["pdf-merge", "web-forms"]).toContain(neighbour);
      expect(shared.length).toBeGreaterThan(0);
      expect(expected).toEqual({ used: [neighbour], unused: ["pdf-forms"], only: false });
    }
    expect(found.map(({ input }) => input)).toContain("Put these scans into one PDF");
    const nearness = found.map((one) => one.nearness);
    expect(nearness).toEqual(nearness.toSorted((a, b) => b - a));
  });

  it("are none that fits the skill itself best", () => {
    const rival = {
      name: "rival",
      description: "Prints PDF files on paper. Fills in PDF forms and reads their fields.",
    };
    const found = suggestNegatives({
      skill: "pdf-forms",
      catalog: [...CATALOG.slice(0, 1), rival],
    });
    expect(found).toMatchObject([{ input: "Print PDF files on paper", neighbour: "rival" }]);
  });

  it("are the same in whatever order the catalog comes", () => {
    const turned = suggestNegatives({ skill: "PDF-forms", catalog: CATALOG.toReversed() });
    expect(turned).toEqual(negatives("pdf-forms"));
  });

  it("are none that is a case already, and none for a skill without neighbours", () => {
    const [first] = negatives("pdf-forms");
    const known = { input: `${first!.input.toUpperCase()}!` } as EvalCase;
    expect(negatives("pdf-forms", [known]).map(({ input }) => input)).not.toContain(first!.input);
    expect(negatives("weather")).toEqual([]);
  });

  it("need a skill that is there", () => {
    expect(suggestNegatives({ skill: "pdf-form", catalog: CATALOG })).toMatchObject({
      ok: false,
      code: "skill-unknown",
      candidates: ["pdf-forms"],
    });
  });
});

it("E-02 phrases of a description are requests, without what it is not for", () => {
  expect(phrasesOf(CATALOG[1]!.description)).toEqual([
    "Put these scans into one PDF",
    "Merge and split PDF files",
    "Merge PDF files, split a PDF into pages",
    "Merge PDF files",
    "Split a PDF into pages",
  ]);
  expect(phrasesOf("")).toEqual([]);
  expect(phrasesOf("“".repeat(100_000)).length).toBe(0);
});
