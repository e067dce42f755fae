import { randomUUID } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exampleResults } from "../../../../test/support/example-results.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  evalDigest,
  folderBlobs,
  memoryBlobs,
  memoryBudget,
  memoryJournal,
  memoryRateLimit,
  openJournal,
  type TrialJournal,
} from "../index.ts";
import {
  blobSuite,
  budgetSuite,
  type ConformanceCheck,
  journalSuite,
  type OpenedPort,
  rateSuite,
} from "../testing/index.ts";

const { setup } = exampleResults([]);

async function fileJournal(): Promise<OpenedPort<TrialJournal>> {
  const opened = await openJournal(temporaryFolder(), setup, "2026-01-01T00:00:00.000Z");
  if (!opened.ok) throw new Error(opened.message);
  return { port: opened.journal, close: () => opened.journal.close() };
}

const [one, other] = ["sha256:1", "sha256:2"];
const inMemory = { open: () => ({ port: memoryJournal() }), evalDigest: one, otherDigest: other };
const suites = Object.entries({
  memoryJournal: journalSuite(inMemory),
  openJournal: journalSuite({ open: fileJournal, evalDigest: evalDigest(setup) }),
  memoryBlobs: blobSuite({ open: () => ({ port: memoryBlobs() }) }),
  folderBlobs: blobSuite({
    open: () => ({ port: folderBlobs(join(temporaryFolder(), "blobs")) }),
  }),
  memoryRateLimit: rateSuite({
    open: async (requestsPerMinute) => ({ port: memoryRateLimit({ requestsPerMinute }) }),
  }),
  memoryBudget: budgetSuite({ open: async (limits) => ({ port: memoryBudget(limits) }) }),
}).flatMap(([port, checks]) => checks.map(({ name, run }) => ({ port, name, run })));

describe("ports on one machine", () => {
  it.each(suites)("W-02 $port: $name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

/** Names of the checks that fail. */
async function failing(checks: readonly ConformanceCheck[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of checks) {
    await run().catch(() => failed.push(name));
  }
  return failed;
}

describe("the conformance suites", () => {
  it("W-02 find a journal that counts a trial twice, loses claims, or mixes evals", async () => {
    const broken = (change: (journal: TrialJournal) => Partial<TrialJournal>) => () => {
      const journal = memoryJournal();
      return { port: { ...journal, ...change(journal) } };
    };
    const suite = (open: () => OpenedPort<TrialJournal>) =>
      failing(journalSuite({ ...inMemory, open }));
    const twice = await suite(
      broken((journal) => ({
        append: (digest, results) =>
          journal.append(
            digest,
            results.map((result) => ({ ...result, caseId: randomUUID() })),
          ),
      })),
    );
    expect(twice).toContain("the first result of a trial stays");
    const forgetful = await suite(broken(() => ({ claim: async (jobs) => jobs })));
    expect(forgetful).toContain("a job is claimed by one worker");
    expect(forgetful).toContain("parallel claims give each job once");
    const mixed = await suite(
      broken((journal) => ({
        async *stream() {
          yield* journal.stream(one);
        },
      })),
    );
    expect(mixed).toEqual(["evals do not see each other"]);
    const keeps = await suite(broken(() => ({ reopen: async () => 0 })));
    expect(keeps).toEqual(["errors are run again when they are reopened, and nothing else is"]);
  });

  it("W-02 find limits and budgets that forget", async () => {
    const rate = { open: async () => ({ port: { take: async () => 0 } }) };
    expect(await failing(rateSuite(rate))).toHaveLength(3);
    const budget = { spend: async () => undefined, exhausted: async () => undefined };
    expect(
      await failing(budgetSuite({ open: async () => ({ port: budget }) }).slice(0, 2)),
    ).toEqual([
      "what is spent adds up, for each eval",
      "nothing that is spent at the same time is lost",
    ]);
  });
});

it("W-02 a blob that was changed on disk is not given out", async () => {
  const folder = temporaryFolder();
  const blobs = folderBlobs(folder);
  const digest = await blobs.put(Buffer.from("as published"));
  const [first = ""] = readdirSync(folder);
  const [file = ""] = readdirSync(join(folder, first));
  writeFileSync(join(folder, first, file), "as changed");
  await expect(blobs.get(digest)).rejects.toThrow("is damaged");
  await expect(blobs.get("../../etc/passwd")).rejects.toThrow("is not a digest");
});
