import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createOfflineModel, type Model } from "@skillwright/agent";
import { directorySource, openSkills } from "@skillwright/core";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  type EvalCase,
  type EvalOptions,
  memoryBudget,
  memoryJournal,
  planTrials,
  type TrialResult,
  trialRunId,
} from "../index.ts";
import { runEvals } from "./index.ts";

const PDF =
  "---\nname: pdf\ndescription: Fills PDF forms. Use when a PDF form has to be filled.\n---\n# PDF\n";
const CSV =
  "---\nname: csv\ndescription: Profiles CSV tables. Use when a table has to be profiled.\n---\n# CSV\n";

function caseOf(id: string, more: Partial<EvalCase> = {}): EvalCase {
  return {
    id,
    title: id,
    input: "Fill the PDF form",
    files: [],
    expected: {
      skills: { used: ["pdf"], unused: [], only: true },
      sequence: [],
      output: [],
      statements: [],
    },
    constraints: { forbiddenTools: [], requiredTools: [] },
    tags: [],
    origin: { file: "/cases.yaml", line: 1, dialect: "skillwright", skill: "pdf" },
    ...more,
  };
}

async function world(cases: readonly EvalCase[], more: Partial<EvalOptions> = {}) {
  const folder = temporaryFolder({ "skills/pdf/SKILL.md": PDF, "skills/csv/SKILL.md": CSV });
  const work = join(folder, "work");
  mkdirSync(work);
  const skills = await openSkills({
    roots: [directorySource(join(folder, "skills"), { label: "project" })],
  });
  const options: EvalOptions = {
    cases,
    arms: [{ arm: { name: "with_skill" }, skillsFor: async () => skills }],
    openModel: createOfflineModel,
    folder: work,
    ...more,
  };
  return { options, work, skills };
}

const outcomes = (results: readonly TrialResult[]) => results.map(({ outcome }) => outcome);

describe("runEvals", () => {
  it("E-03 runs every case on the real agent, and leaves no working directory behind", async () => {
    const { options, work } = await world([caseOf("a"), caseOf("b", { input: "Write a poem" })]);
    const results = await runEvals({ ...options, trials: 2 });
    expect(results.map(({ caseId, trial }) => `${caseId}${trial}`)).toEqual([
      "a1",
      "a2",
      "b1",
      "b2",
    ]);
    expect(outcomes(results)).toEqual(["pass", "pass", "fail", "fail"]);
    expect(results[0]).toMatchObject({ skills: ["pdf"], status: "answered" });
    expect(readdirSync(work)).toEqual([]);
  });

  it("E-02 an arm that says nothing about a case does not run it", async () => {
    const { options, skills } = await world([caseOf("a"), caseOf("b")]);
    const skillsFor = async () => skills;
    const arms = [
      { arm: { name: "with_skill" }, skillsFor },
      { arm: { name: "without_skill" }, skillsFor, isFor: ({ id }: EvalCase) => id === "a" },
    ] as const;
    const results = await runEvals({ ...options, arms, trials: 2 });
    expect(results.map(({ caseId, arm, trial }) => `${caseId}${trial} ${arm}`)).toEqual([
      "a1 with_skill",
      "a1 without_skill",
      "a2 with_skill",
      "a2 without_skill",
      "b1 with_skill",
      "b2 with_skill",
    ]);
    expect(planTrials({ ...options, arms, trials: 2 })).toHaveLength(6);
  });

  it("E-01 a case with fixed actions decides for the model", async () => {
    const actions = [
      { action: "select_skills", skills: [{ name: "csv" }] },
      { action: "final_answer", answer: "done" },
    ];
    const { options } = await world([caseOf("a", { mock: { actions } })]);
    const [result] = await runEvals(options);
    expect(result).toMatchObject({ isMock: true, skills: ["csv"], outcome: "fail" });
  });

  it("E-02 a time-out, a model that fails and one that throws are errors, not fails", async () => {
    const never: Model = {
      ...createOfflineModel(),
      decide: (_, context) =>
        new Promise((done) => {
          const usage = {
            inputTokens: 0,
            outputTokens: 0,
            cacheReadTokens: 0,
            cacheWriteTokens: 0,
          };
          const error = { code: "canceled", message: "canceled", retryable: false } as const;
          context?.signal?.addEventListener("abort", () =>
            done({ ok: false, error, usage: { ...usage, calls: 0 }, latencyMs: 0 }),
          );
        }),
    };
    const { options } = await world([caseOf("a", { timeoutMs: 50 })]);
    const [slow] = await runEvals({ ...options, openModel: () => never });
    expect(slow).toMatchObject({ outcome: "error", error: { code: "timed-out" }, grades: [] });
    const thrown = await runEvals({
      ...options,
      openModel: () => {
        throw new Error("no key");
      },
    });
    expect(thrown[0]).toMatchObject({ outcome: "error", error: { message: "no key" } });
  });

  it("E-03 a model that waits for its turn loses no time of the trial, nor of what the case allows", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const offline = createOfflineModel();
    const waiting: Model = {
      ...offline,
      async decide(request, context) {
        const goOn = context?.pause?.();
        await vi.advanceTimersByTimeAsync(60_000);
        goOn?.();
        return offline.decide(request, context);
      },
    };
    const constraints = { forbiddenTools: [], requiredTools: [], maxTimeMs: 5000 };
    const { options } = await world([caseOf("a", { timeoutMs: 5000, constraints })]);
    const [patient] = await runEvals({ ...options, openModel: () => waiting });
    expect(patient).toMatchObject({ outcome: "pass" });
    expect(patient?.usage.timeMs).toBeLessThan(5000);
    // Its own time for a run cannot be stopped: that is no fault of the skill.
    const [late] = await runEvals({
      ...options,
      openModel: () => waiting,
      budget: { timeMs: 30_000 },
    });
    expect(late).toMatchObject({ outcome: "error", error: { code: "timed-out" } });
  });

  it("E-03 goes on where it was interrupted: every trial once", async () => {
    const cases = Array.from({ length: 20 }, (_, i) => caseOf(`case-${i}`));
    const { options } = await world(cases);
    const controller = new AbortController();
    const journal = memoryJournal();
    const first: TrialResult[] = [];
    const stopped = await runEvals({
      ...options,
      journal,
      concurrency: 3,
      signal: controller.signal,
      onResult(result) {
        first.push(result);
        if (first.length === 7) controller.abort();
      },
    });
    expect(stopped.length).toBeLessThan(20);
    const later: TrialResult[] = [];
    const all = await runEvals({ ...options, journal, onResult: (one) => later.push(one) });
    expect(all.map(({ caseId }) => caseId)).toEqual(cases.map(({ id }) => id));
    expect(later.length + stopped.length).toBe(20);
  });

  it("W-02 two processes that share a journal run every trial once", async () => {
    const cases = Array.from({ length: 30 }, (_, i) => caseOf(`case-${i}`));
    const { options } = await world(cases);
    const journal = memoryJournal();
    const ran: string[] = [];
    const onResult = ({ caseId }: TrialResult) => ran.push(caseId);
    const shared = { ...options, journal, onResult };
    await Promise.all([runEvals(shared), runEvals(shared)]);
    expect(ran.toSorted()).toEqual(cases.map(({ id }) => id).toSorted());
    expect(await runEvals(shared)).toHaveLength(30);
    expect(ran).toHaveLength(30);
  });

  it("E-05 no trial begins once the budget of the whole eval is used up", async () => {
    const cases = Array.from({ length: 6 }, (_, i) => caseOf(`case-${i}`));
    const { options } = await world(cases);
    const [one] = await runEvals({ ...options, cases: cases.slice(0, 1) });
    const tokens = (one?.usage.inputTokens ?? 0) + (one?.usage.outputTokens ?? 0);
    const evalBudget = memoryBudget({ tokens: tokens * 2 });
    const results = await runEvals({ ...options, evalBudget, concurrency: 1 });
    expect(results.length).toBeGreaterThan(0);
    expect(results.length).toBeLessThan(6);
    expect(await evalBudget.exhausted("")).toBe("tokens");
  });

  it("W-02 the run id of a trial follows from its job", async () => {
    const { options } = await world([caseOf("a")]);
    const evalDigest = "sha256:1";
    const ids = async (more: Partial<EvalOptions>) =>
      (await runEvals({ ...options, evalDigest, trials: 2, ...more })).map(({ runId }) => runId);
    const first = await ids({});
    expect(first).toEqual(await ids({}));
    expect(new Set([...first, ...(await ids({ evalDigest: "sha256:2" }))]).size).toBe(4);
    const job = { evalDigest, caseId: "a", arm: "with_skill", trial: 2 } as const;
    expect(first[1]).toBe(trialRunId(job));
  });

  it("E-01 puts the files of a case into its own directory, and none outside", async () => {
    const files = [{ path: "../escaped.txt", content: "x" }];
    const { options, work } = await world([caseOf("a", { files })]);
    const [result] = await runEvals(options);
    expect(result).toMatchObject({ outcome: "error", error: { code: "trial-failed" } });
    expect(readdirSync(work)).toEqual([]);
  });
});
