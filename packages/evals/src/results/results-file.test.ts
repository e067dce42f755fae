import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exampleResults, exampleTrial } from "../../../../test/support/example-results.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { readResults, resultsText, saveResults } from "./index.ts";

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
      const lines = readFileSync(file, "utf8").split("\n");
      expect(lines.filter((line) => line.startsWith('{"caseId"'))).toHaveLength(n);
      expect(JSON.parse(lines.join("\n"))).toEqual(results);
      expect(await readResults(file)).toEqual({ ok: true, results });
      expect(readdirSync(join(folder, "deep"))).toEqual(["results.json"]);
    },
  );

  it("E-02 keeps which cases an arm left out", async () => {
    const arms = [{ name: "with_skill" }, { name: "without_skill", leftOut: ["b"] }] as const;
    const results = exampleResults([exampleTrial()], { arms });
    const file = join(temporaryFolder(), "results.json");
    await saveResults(file, results);
    expect(await readResults(file)).toEqual({ ok: true, results });
  });

  it("E-02 keeps what a judge prefers and who judged, and refuses what nobody could have said", async () => {
    const about = { caseId: "pdf/1", trial: 1, other: "without_skill" } as const;
    const { trials, ...head } = exampleResults([exampleTrial()], { judge: "a:b#0123" });
    const results = {
      ...head,
      preferences: [
        { ...about, winner: "tie" as const, evidence: "]", dependsOnOrder: true as const },
        { ...about, trial: 2, error: { code: "judge-failed", message: "]" } },
      ],
      trials,
    };
    const file = join(temporaryFolder(), "results.json");
    await saveResults(file, results);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(results);
    expect(await readResults(file)).toEqual({ ok: true, results });
    const wrong = [{ ...about, winner: "both", evidence: "" }];
    writeFileSync(file, JSON.stringify({ ...results, preferences: wrong }));
    expect(await readResults(file)).toMatchObject({ ok: false, code: "results-unreadable" });
  });

  it("E-02 reads a large file line by line, and one that was reformatted too", async () => {
    const trials = Array.from({ length: 900 }, (_, at) =>
      exampleTrial({ caseId: `pdf/${at}`, answer: `${at} ${'],"例 '.repeat(2000)}` }),
    );
    const results = exampleResults(trials, { arms: [{ name: "with_skill", leftOut: ["a"] }] });
    const file = join(temporaryFolder(), "results.json");
    await saveResults(file, results);
    const read = await readResults(file);
    if (!read.ok) throw new Error(read.message);
    const [one] = read.results.trials;
    const inMemory = Object.values(Object.getOwnPropertyDescriptors(one)).map(
      ({ value }) => value as unknown,
    );
    expect(JSON.stringify(inMemory)).not.toContain("例");
    expect(read.results).toEqual(results);
    writeFileSync(file, JSON.stringify(results, null, 2));
    expect(await readResults(file)).toEqual({ ok: true, results });
    writeFileSync(file, JSON.stringify({ ...results, trials: [{}, ...trials] }));
    expect(await readResults(file)).toMatchObject({ ok: false, code: "results-unreadable" });
  });

  it("E-02 never has the text of all trials in memory: it looks at one after the other", () => {
    const trials = Array.from({ length: 400 }, () => exampleTrial({ answer: "a".repeat(10_000) }));
    const pieces = [...resultsText(exampleResults(trials))];
    const longest = Math.max(...pieces.map(({ length }) => length));
    expect(pieces.length).toBeGreaterThan(40);
    expect(longest).toBeLessThan(100_000);
  });
});
