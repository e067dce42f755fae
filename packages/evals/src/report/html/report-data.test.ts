import { describe, expect, it } from "vitest";
import { exampleResults, exampleTrial } from "../../../../../test/support/example-results.ts";
import { reportCases, reportData, reportSides } from "../index.ts";

function dataOf(answer: string, cases: number, maximumBytes?: number) {
  const trials = Array.from({ length: cases }, (_, at) =>
    exampleTrial({ caseId: `pdf/${at}`, answer }),
  );
  const sides = reportSides({ results: exampleResults(trials) });
  return reportData(sides, reportCases(sides), maximumBytes);
}

describe("reportData", () => {
  it("E-03 keeps everything where there is room", () => {
    const { json, note } = dataOf("a".repeat(5000), 3);
    expect(json).toContain("a".repeat(5000));
    expect(note).toBeUndefined();
  });

  it("E-03 cuts texts until it fits, and says so", () => {
    const { json, note } = dataOf("a".repeat(5000), 20, 40_000);
    expect(Buffer.byteLength(json)).toBeLessThan(42_000);
    expect(note).toContain("texts are cut after 1000 characters");
    expect(json).toContain(`${"a".repeat(999)}…`);
  });

  it("E-03 counts bytes as they are written: what is escaped takes more", () => {
    const { json } = dataOf("<".repeat(5000), 20, 120_000);
    expect(Buffer.byteLength(json)).toBeLessThan(122_000);
  });
});
