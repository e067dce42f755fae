import type { EvalResults, TrialResult } from "../../packages/evals/src/index.ts";

/** For tests: a trial that passed without any check, step or skill, with what a test is about in place of the usual. */
export function bareTrial(caseId: string, more: Partial<TrialResult> = {}): TrialResult {
  return {
    caseId,
    title: caseId,
    input: "Do it.",
    origin: { file: "/evals.json", line: 1, dialect: "skillwright" },
    arm: "with_skill",
    trial: 1,
    outcome: "pass",
    grades: [],
    isMock: false,
    tags: [],
    skills: [],
    answer: "",
    status: "answered",
    steps: [],
    usage: {
      turns: 1,
      toolCalls: 2,
      scripts: 0,
      inputTokens: 100,
      outputTokens: 10,
      cost: 0,
      timeMs: 5,
    },
    catalogTokens: 50,
    activationTokens: 0,
    runId: "run-1",
    ...more,
  };
}

/** The same with all of it. */
export function exampleTrial(more: Partial<TrialResult> = {}): TrialResult {
  return {
    ...bareTrial("pdf/1"),
    title: "fills a form",
    input: "Fill form.pdf",
    origin: { file: "/skills/pdf/evals/evals.json", line: 3, dialect: "evals-json", skill: "pdf" },
    grades: [
      { metric: "output", text: 'contains "done"', outcome: "pass", score: 1, evidence: "done" },
    ],
    expectedSkills: { used: ["pdf"], unused: [], only: false },
    skills: ["pdf"],
    answer: "done",
    steps: [
      {
        action: "select_skills",
        subject: "pdf",
        arguments: { skills: [{ name: "pdf" }] },
        ok: true,
        observation: "active: pdf",
        turn: 1,
        atMs: 2,
      },
    ],
    usage: {
      turns: 2,
      toolCalls: 1,
      scripts: 0,
      inputTokens: 900,
      outputTokens: 100,
      cost: 0,
      timeMs: 1500,
    },
    ...more,
  };
}

export function exampleResults(
  trials: readonly TrialResult[],
  setup: Partial<EvalResults["setup"]> = {},
): EvalResults {
  return {
    schemaVersion: 1,
    id: "eval-1",
    startedAt: "2026-01-01T00:00:00.000Z",
    endedAt: "2026-01-01T00:00:09.000Z",
    setup: {
      model: "offline:rules",
      isDeterministic: true,
      seed: 1,
      trials: 1,
      arms: [{ name: "with_skill" }],
      skills: [{ name: "pdf", digest: "sha256:1" }],
      casesDigest: "sha256:2",
      version: "0.1.0",
      platform: "linux x64, Node 20",
      ...setup,
    },
    trials,
  };
}
