import { openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exampleTrial } from "../../../../test/support/example-results.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { TrialFile } from "./index.ts";

function openFile(text = "") {
  const file = join(temporaryFolder({ "results.jsonl": text }), "results.jsonl");
  return { file, log: new TrialFile(openSync(file, "a+")) };
}

describe("TrialFile", () => {
  it("E-03 what it gives back is the trial, in every way that a report looks at it", () => {
    const { log } = openFile();
    const grades = [
      { metric: "output", text: "it is ‘例’", outcome: "pass", score: 1, evidence: "例\n" },
      { metric: "cost", text: "at most 5", outcome: "error", score: 0, evidence: "" },
    ] as const;
    const trials = [1, 2, 3].map((trial) => exampleTrial({ trial, grades, answer: `Nr ${trial}` }));
    const stored = trials.map((trial) => log.append(trial));
    expect(stored).toEqual(trials);
    expect(stored.map((trial) => ({ ...trial, trial: 0 }))).toEqual(
      trials.map((trial) => ({ ...trial, trial: 0 })),
    );
    expect(JSON.stringify(stored)).toBe(JSON.stringify(trials));
    expect(stored.map(({ grades: [first] }) => first?.evidence)).toEqual(["例\n", "例\n", "例\n"]);
    log.close();
  });

  it("E-03 holds neither steps nor answers in memory, and reads them after the file is removed", () => {
    const { file, log } = openFile();
    const trial = exampleTrial({ answer: "A".repeat(1000), tags: ["slow"], skills: ["pdf"] });
    const [first, second] = [log.append(trial), log.append({ ...trial, tags: ["slow"], trial: 2 })];
    const fields = Object.values(Object.getOwnPropertyDescriptors(first));
    expect(JSON.stringify(fields.map(({ value }) => value as unknown))).not.toContain("AAAA");
    expect(first.tags).toBe(second.tags);
    rmSync(file);
    expect(first.answer).toBe(trial.answer);
    log.close();
    expect(() => second.answer).toThrow("EBADF");
  });

  it("E-03 finds the lines that any chunks would, with their places in bytes", () => {
    const line = fc.string({ unit: fc.constantFrom("a", "é", "例", "🙂", "b".repeat(30_000)) });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), line, (lines, rest) => {
        const { file, log } = openFile([...lines, rest].join("\n"));
        const bytes = readFileSync(file);
        const found = [...log.lines()];
        expect(found.map(({ text }) => text)).toEqual(lines);
        for (const { text, start, length } of found) {
          expect(bytes.subarray(start, start + length).toString("utf8")).toBe(text);
        }
        log.close();
      }),
      { numRuns: 40 },
    );
  });

  it("E-03 a trial that is gone is a bug that is said, and no empty result", () => {
    const { log } = openFile();
    const stored = log.append(exampleTrial({}));
    log.cut(3);
    expect(() => stored.answer).toThrow("cut off");
    log.close();
  });
});
