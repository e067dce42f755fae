import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exampleResults, exampleTrial } from "../../../../test/support/example-results.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readResults, saveResults } from "./results-file.ts";
import { resultsText } from "./results-text.ts";

describe("saveResults", () => {
  it.each([0, 1, 2, 500])(
    "E-02 writes %i trials as one JSON text, and reads them back",
    async (n) => {
      const trials = Array.from({ length: n }, (_, i) =>
        exampleTrial({ caseId: `pdf/${i}`, answer: `]\n"trials": [ ${i} 例` }),
      );
      const results = exampleResults(trials);
      const folder = temporaryFolder();
      const file = join(folder, "deep", "results.json");
      await saveResults(file, results);
      expect(readFileSync(file, "utf8")).toBe(`${JSON.stringify(results, null, 1)}\n`);
      expect(await readResults(file)).toEqual({ ok: true, results });
      expect(readdirSync(join(folder, "deep"))).toEqual(["results.json"]);
    },
  );

  it("E-02 never has the text of all trials in memory: it looks at one after the other", () => {
    const trials = Array.from({ length: 400 }, () => exampleTrial({ answer: "a".repeat(10_000) }));
    const pieces = [...resultsText(exampleResults(trials))];
    const longest = Math.max(...pieces.map(({ length }) => length));
    expect(pieces.length).toBeGreaterThan(40);
    expect(longest).toBeLessThan(100_000);
  });
});
