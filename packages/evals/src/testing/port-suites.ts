import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import type { TrialResult } from "../results/eval-results.ts";
import type { BlobStore, EvalBudget, RateLimit, TrialJournal } from "../run/ports.ts";
import { type TrialJob, trialKey } from "../run/trial-job.ts";

/** One check of an implementation. `run` rejects with an `AssertionError` when it is not right. */
export interface ConformanceCheck {
  readonly name: string;
  readonly run: () => Promise<void>;
}

/** A port that is empty, for one check. */
export interface OpenedPort<Port> {
  readonly port: Port;
  readonly close?: () => Promise<void>;
}

type Open<Port> = () => Promise<OpenedPort<Port>> | OpenedPort<Port>;

export interface JournalSuiteOptions {
  readonly open: Open<TrialJournal>;
  /** The eval whose trials are kept. */
  readonly evalDigest: string;
  /** Another one, for a journal that holds several. */
  readonly otherDigest?: string;
}

const PATIENCE_MS = 30_000;

/** Checks of a `TrialJournal`, for any test runner: `for (const { name, run } of journalSuite(…)) test(name, run)`. */
export function journalSuite(options: JournalSuiteOptions): readonly ConformanceCheck[] {
  const { evalDigest, otherDigest } = options;
  const jobOf = (trial: number, digest = evalDigest): TrialJob => ({
    evalDigest: digest,
    caseId: "pdf/1",
    arm: "with_skill",
    trial,
  });
  const jobs = (count: number) => Array.from({ length: count }, (_, index) => jobOf(index + 1));
  const [first, second] = ["worker-1", "worker-2"];
  const long = (worker: string) => ({ worker, leaseMs: 3_600_000 });
  const check = (name: string, work: (journal: TrialJournal) => Promise<void>) =>
    checkOf(name, options.open, work);
  const checks = [
    check("a job is claimed by one worker", async (journal) => {
      assert.deepEqual(await journal.claim(jobs(2), long(first)), jobs(2));
      assert.deepEqual(await journal.claim(jobs(3), long(second)), [jobOf(3)]);
    }),
    check("a worker that claims again what it holds keeps it", async (journal) => {
      await journal.claim(jobs(2), long(first));
      assert.deepEqual(await journal.claim(jobs(2), long(first)), jobs(2));
      assert.deepEqual(await journal.claim(jobs(2), long(second)), []);
    }),
    check("a lease that is over is taken by another worker", async (journal) => {
      await journal.claim(jobs(2), { worker: first, leaseMs: 1 });
      const end = Date.now() + PATIENCE_MS;
      const taken: TrialJob[] = [];
      while (taken.length < 2 && Date.now() < end) {
        await setTimeout(5);
        taken.push(...(await journal.claim(jobs(2), long(second))));
      }
      assert.deepEqual(taken, jobs(2));
    }),
    check("released jobs can be claimed, those of others stay", async (journal) => {
      await journal.claim(jobs(1), long(first));
      await journal.claim([jobOf(2)], long(second));
      await journal.release(jobs(2), first);
      assert.deepEqual(await journal.claim(jobs(2), long("worker-3")), jobs(1));
    }),
    check("parallel claims give each job once", async (journal) => {
      const workers = Array.from({ length: 8 }, (_, index) => `worker-${index}`);
      const taken = await Promise.all(workers.map((one) => journal.claim(jobs(100), long(one))));
      assert.deepEqual(keys(taken.flat()), keys(jobs(100)));
    }),
    check("a job with a result is not claimed", async (journal) => {
      await journal.append(evalDigest, [resultOf(1)]);
      assert.deepEqual(await journal.claim(jobs(2), long(first)), [jobOf(2)]);
    }),
    check("the first result of a trial stays", async (journal) => {
      assert.equal(await journal.append(evalDigest, [resultOf(1, { answer: "first" })]), 1);
      const more = [resultOf(1, { answer: "second" }), resultOf(2), resultOf(2)];
      assert.equal(await journal.append(evalDigest, more), 1);
      const kept = await all(journal, evalDigest);
      assert.deepEqual(
        kept.map(({ trial, answer }) => [trial, answer]),
        [
          [1, "first"],
          [2, "done"],
        ],
      );
    }),
    check("parallel results of a trial count once", async (journal) => {
      const appended = await Promise.all(
        Array.from({ length: 10 }, () => journal.append(evalDigest, [resultOf(1), resultOf(2)])),
      );
      assert.equal(
        appended.reduce((sum, count) => sum + count, 0),
        2,
      );
      assert.equal((await all(journal, evalDigest)).length, 2);
    }),
    check("a result comes back as it was", async (journal) => {
      const text = "例 🙂 \u0000 \\ \" ' \n \u2028 %s $1";
      const result = resultOf(1, {
        answer: text,
        title: text,
        outcome: "error",
        error: { code: "timed-out", message: text },
        grades: [{ metric: "output", text, outcome: "fail", score: 0.1, evidence: text }],
        steps: [
          {
            action: "use_tool",
            subject: text,
            arguments: { nested: [{ [text]: [null, 1e-7, ""] }] },
            ok: false,
            observation: text,
            turn: 1,
            atMs: 0.25,
          },
        ],
      });
      await journal.append(evalDigest, [result]);
      const [kept] = await all(journal, evalDigest);
      assert.deepEqual(JSON.parse(JSON.stringify(kept)), result);
    }),
    check("results are all there, many of them too", async (journal) => {
      const results = jobs(1000).map(({ trial }) => resultOf(trial));
      for (let at = 0; at < results.length; at += 50) {
        await journal.append(evalDigest, results.slice(at, at + 50));
      }
      assert.deepEqual(keys(await all(journal, evalDigest)), keys(jobs(1000)));
    }),
    check("errors are run again when they are reopened, and nothing else is", async (journal) => {
      const outcomes = ["error", "pass", "fail", "unjudged"] as const;
      const results = outcomes.map((outcome, index) => resultOf(index + 1, { outcome }));
      await journal.append(evalDigest, results);
      assert.deepEqual(await journal.claim(jobs(4), long(first)), []);
      assert.equal(await journal.reopen(evalDigest), 1);
      assert.deepEqual(await journal.claim(jobs(4), long(first)), [jobOf(1)]);
      assert.equal(await journal.append(evalDigest, [resultOf(1)]), 1);
      assert.equal((await all(journal, evalDigest)).length, 4);
    }),
  ];
  if (otherDigest === undefined) return checks;
  const apart = check("evals do not see each other", async (journal) => {
    await journal.append(evalDigest, [resultOf(1)]);
    const other = jobOf(1, otherDigest);
    assert.deepEqual(await journal.claim([other], long(first)), [other]);
    assert.deepEqual(await all(journal, otherDigest), []);
    await journal.append(otherDigest, [resultOf(1, { answer: "other", outcome: "error" })]);
    assert.equal(await journal.reopen(evalDigest), 0);
    const kept = await all(journal, otherDigest);
    assert.deepEqual(
      kept.map(({ answer }) => answer),
      ["other"],
    );
  });
  return [...checks, apart];
}

export interface RateSuiteOptions {
  /** Opens a limit of so many requests in any minute. */
  readonly open: (requestsPerMinute: number) => Promise<OpenedPort<RateLimit>>;
}

/** Turns are a minute apart, so that a check may take half of one. */
const SOON_MS = 30_000;

export function rateSuite({ open }: RateSuiteOptions): readonly ConformanceCheck[] {
  const of = (limit: number) => () => open(limit);
  return [
    checkOf("requests within the limit come at once", of(3), async (rate) => {
      for (let count = 0; count < 3; count++) assert.equal(await rate.take("model"), 0);
      const wait = await rate.take("model");
      assert.ok(wait > SOON_MS && wait <= 60_000, `the fourth waits ${wait} ms`);
    }),
    checkOf("parallel requests take different turns", of(4), async (rate) => {
      const waits = await Promise.all(Array.from({ length: 8 }, () => rate.take("model")));
      assert.equal(waits.filter((wait) => wait < SOON_MS).length, 4);
      assert.ok(waits.every((wait) => wait >= 0 && wait <= 60_000));
    }),
    checkOf("a queue grows by the limit in a minute", of(2), async (rate) => {
      const waits: number[] = [];
      for (let count = 0; count < 6; count++) waits.push(await rate.take("model"));
      assert.deepEqual(
        waits.map((wait) => Math.round(wait / 60_000)),
        [0, 0, 1, 1, 2, 2],
      );
    }),
    checkOf("services do not wait for each other", of(1), async (rate) => {
      assert.equal(await rate.take("model"), 0);
      assert.equal(await rate.take("judge"), 0);
    }),
  ];
}

export interface BudgetSuiteOptions {
  readonly open: (
    limits: Partial<Record<"cost" | "tokens" | "timeMs", number>>,
  ) => Promise<OpenedPort<EvalBudget>>;
}

export function budgetSuite({ open }: BudgetSuiteOptions): readonly ConformanceCheck[] {
  const one = "sha256:1";
  return [
    checkOf(
      "what is spent adds up, for each eval",
      () => open({ cost: 1 }),
      async (budget) => {
        await budget.spend(one, { cost: 0.6, tokens: 10 });
        await budget.spend("sha256:2", { cost: 0.6, tokens: 10 });
        assert.equal(await budget.exhausted(one), undefined);
        await budget.spend(one, { cost: 0.4, tokens: 0 });
        assert.equal(await budget.exhausted(one), "cost");
        assert.equal(await budget.exhausted("sha256:2"), undefined);
      },
    ),
    checkOf(
      "nothing that is spent at the same time is lost",
      () => open({ tokens: 1000 }),
      async (budget) => {
        const spend = () => budget.spend(one, { cost: 0, tokens: 10 });
        await Promise.all(Array.from({ length: 99 }, spend));
        assert.equal(await budget.exhausted(one), undefined);
        await spend();
        assert.equal(await budget.exhausted(one), "tokens");
      },
    ),
    checkOf(
      "time passes from the first look on",
      () => open({ timeMs: 20 }),
      async (budget) => {
        await budget.exhausted(one);
        const end = Date.now() + PATIENCE_MS;
        while ((await budget.exhausted(one)) !== "time" && Date.now() < end) await setTimeout(5);
        assert.equal(await budget.exhausted(one), "time");
      },
    ),
  ];
}

export function blobSuite({
  open,
}: {
  readonly open: Open<BlobStore>;
}): readonly ConformanceCheck[] {
  return [
    checkOf("content comes back by its digest", open, async (blobs) => {
      const large = Buffer.alloc(3_000_000, Buffer.from([0, 255, 10, 13, 128]));
      for (const bytes of [Buffer.from("abc"), Buffer.alloc(0), large]) {
        const digest = await blobs.put(bytes);
        assert.match(digest, /^sha256:[0-9a-f]{64}$/);
        const kept = await blobs.get(digest);
        assert.ok(kept !== undefined && Buffer.from(kept).equals(bytes));
      }
      const abc = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
      assert.equal(await blobs.put(Buffer.from("abc")), abc);
    }),
    checkOf("what is absent is undefined", open, async (blobs) => {
      assert.equal(await blobs.get(`sha256:${"0".repeat(64)}`), undefined);
    }),
    checkOf("the same content may be put at the same time", open, async (blobs) => {
      const put = () => blobs.put(Buffer.from("the same"));
      const digests = await Promise.all(Array.from({ length: 10 }, put));
      assert.equal(new Set(digests).size, 1);
      assert.equal(Buffer.from((await blobs.get(digests[0] ?? "")) ?? []).toString(), "the same");
    }),
    checkOf("what is kept does not change with the bytes that were given", open, async (blobs) => {
      const bytes = Buffer.from("before");
      const digest = await blobs.put(bytes);
      bytes.write("after!");
      assert.equal(Buffer.from((await blobs.get(digest)) ?? []).toString(), "before");
    }),
  ];
}

function checkOf<Port>(
  name: string,
  open: Open<Port>,
  work: (port: Port) => Promise<void>,
): ConformanceCheck {
  const run = async () => {
    const { port, close } = await open();
    try {
      await work(port);
    } finally {
      await close?.();
    }
  };
  return { name, run };
}

async function all(journal: TrialJournal, evalDigest: string): Promise<TrialResult[]> {
  const results: TrialResult[] = [];
  for await (const result of journal.stream(evalDigest)) results.push(result);
  return results.toSorted((a, b) => a.trial - b.trial);
}

function keys(some: readonly (TrialJob | TrialResult)[]): string[] {
  return some.map(trialKey).toSorted();
}

function resultOf(trial: number, more: Partial<TrialResult> = {}): TrialResult {
  return {
    caseId: "pdf/1",
    title: "fills a form",
    input: "Fill form.pdf",
    origin: { file: "/skills/pdf/evals/evals.json", line: 3, dialect: "evals-json", skill: "pdf" },
    arm: "with_skill",
    trial,
    outcome: "pass",
    grades: [],
    isMock: false,
    tags: ["forms"],
    skills: ["pdf"],
    answer: "done",
    status: "answered",
    steps: [],
    usage: {
      turns: 2,
      toolCalls: 1,
      scripts: 0,
      inputTokens: 900,
      outputTokens: 100,
      cost: 0.01,
      timeMs: 1500,
    },
    catalogTokens: 50,
    activationTokens: 20,
    runId: `trial-${trial}`,
    ...more,
  };
}
