import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { exampleResults, exampleTrial } from "../../../../test/support/example-results.ts";
import type { TrialResult } from "../index.ts";
import { openJournal } from "./index.ts";

const { setup } = exampleResults([]);
const START = "2026-01-01T00:00:00.000Z";

async function open(folder: string, changed: Partial<typeof setup> = {}) {
  const opened = await openJournal(folder, { ...setup, ...changed }, START);
  if (!opened.ok) throw new Error(opened.message);
  const { journal } = opened;
  return {
    ...journal,
    add: (result: TrialResult) => journal.append(journal.evalDigest, [result]),
    async done() {
      const results: TrialResult[] = [];
      for await (const result of journal.stream(journal.evalDigest)) results.push(result);
      return results;
    },
  };
}

describe("openJournal", () => {
  it("E-03 gives back what was done, without the line that was cut off", async () => {
    const folder = temporaryFolder();
    const journal = await open(folder);
    await journal.add(exampleTrial({ title: "ein Fall 例" }));
    await journal.add(exampleTrial({ trial: 2 }));
    await journal.close();
    appendFileSync(join(folder, "results.jsonl"), '{"caseId":"pdf/1","tri');
    const again = await open(folder);
    expect(await again.done()).toEqual([
      exampleTrial({ title: "ein Fall 例" }),
      exampleTrial({ trial: 2 }),
    ]);
    await again.add(exampleTrial({ trial: 3 }));
    await again.close();
    const last = await open(folder);
    expect((await last.done()).map(({ trial }) => trial)).toEqual([1, 2, 3]);
    await last.close();
  });

  it("E-03 gives back what a judge said, between the trials", async () => {
    const folder = temporaryFolder();
    const about = { caseId: "pdf/1", trial: 1, other: "without_skill" } as const;
    const told = { ...about, winner: "tie", evidence: "e", dependsOnOrder: true } as const;
    const failed = { ...about, trial: 2, error: { code: "judge-failed", message: "m" } };
    const journal = await open(folder);
    expect(journal.preferences).toEqual([]);
    await journal.add(exampleTrial());
    journal.appendPreference(told);
    await journal.add(exampleTrial({ trial: 2, answer: "later" }));
    journal.appendPreference(failed);
    await journal.close();
    appendFileSync(join(folder, "results.jsonl"), '{"preference":{"caseId":');
    const again = await open(folder);
    expect(again.preferences).toEqual([told, failed]);
    expect(await again.done()).toEqual([
      exampleTrial(),
      exampleTrial({ trial: 2, answer: "later" }),
    ]);
    await again.close();
    const judged = { ...setup, judge: "a:b#1" };
    expect(await openJournal(folder, judged, START)).toMatchObject({ code: "eval-changed" });
  });

  it("E-03 an error that is run again is gone, also after the next interruption", async () => {
    const folder = temporaryFolder();
    const journal = await open(folder);
    await journal.add(exampleTrial({ outcome: "error" }));
    await journal.add(exampleTrial({ trial: 2 }));
    expect(await journal.reopen(journal.evalDigest)).toBe(1);
    await journal.close();
    const again = await open(folder);
    expect((await again.done()).map(({ trial }) => trial)).toEqual([2]);
    expect(again.resumed).toBe(1);
    await again.add(exampleTrial({ answer: "now" }));
    await again.close();
    const last = await open(folder);
    expect((await last.done()).map(({ answer }) => answer)).toEqual(["done", "now"]);
    await last.close();
  });

  it("E-05 the time that interrupted runs took adds up, also after one that was killed", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "results.jsonl");
    const journal = await open(folder);
    expect(journal.usedMs).toBe(0);
    await journal.add(exampleTrial());
    await journal.close();
    appendFileSync(file, '{"usedMs":90000}\n{"caseId":"pdf/1","tri');
    const again = await open(folder);
    expect(again.usedMs).toBe(90_000);
    await again.close();
    const last = await open(folder);
    expect(last.usedMs).toBeGreaterThanOrEqual(90_000);
    expect((await last.done()).map(({ trial }) => trial)).toEqual([1]);
    await last.close();
  });

  it("E-03 refuses to go on with other cases, skills or models", async () => {
    const folder = temporaryFolder();
    await (await open(folder)).close();
    const opened = await openJournal(folder, { ...setup, casesDigest: "sha256:3" }, START);
    expect(opened).toMatchObject({ ok: false, code: "eval-changed" });
    await (await open(folder)).close();
  });

  it("E-03 lets one process work on it, and takes over from one that has ended", async () => {
    const folder = temporaryFolder();
    const journal = await open(folder);
    expect(await openJournal(folder, setup, START)).toMatchObject({ ok: false, code: "eval-busy" });
    const lock = join(folder, "lock");
    const ended = { ...(JSON.parse(readFileSync(lock, "utf8")) as object), pid: 2 ** 22 + 1 };
    await journal.close();
    writeFileSync(lock, JSON.stringify(ended));
    await (await open(folder)).close();
  });

  it("E-03 does not touch a file that is none", async () => {
    const folder = temporaryFolder({ "results.jsonl": "my notes\n" });
    expect(await openJournal(folder, setup, START)).toMatchObject({ code: "eval-unreadable" });
    expect(readFileSync(join(folder, "results.jsonl"), "utf8")).toBe("my notes\n");
  });
});
