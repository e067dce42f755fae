import type { Judge, JudgeQuestion, PreferenceQuestion } from "@skillwright/evals";
import type { Skills } from "@skillwright/core";
import { expect, it } from "vitest";
import { placedJudge } from "./index.ts";

it("E-03 a judge is asked the same wherever trials work and skills lie", async () => {
  const asked: JudgeQuestion[] = [];
  const judge: Judge = {
    id: "j",
    async judge(question) {
      asked.push(question);
      return { ok: true, passed: true, evidence: "e" };
    },
    prefer: () => Promise.reject(new Error("not asked")),
  };
  const ask = async (folder: string, trial: string, skill: string) => {
    const skills = { all: [{ name: "csv", path: skill }] } as unknown as Skills;
    const { signal } = new AbortController();
    await placedJudge(judge, folder, skills).judge({
      statement: "so",
      input: "go",
      answer: `${folder}/trial-${trial}/a.csv and ${folder}/trial-${trial}, by ${skill}/a.js`,
      steps: [],
      signal,
    });
    expect(asked.at(-1)?.signal).toBe(signal);
  };
  await ask("/tmp/skillwright-eval-a1", "Xy3Zq0", "/home/a/csv");
  await ask("/var/t/skillwright-eval-b2", "000000", "/srv/skills/csv");
  const answer = "/eval/trial/a.csv and /eval/trial, by /eval/skills/csv/a.js";
  expect(asked.map((question) => question.answer)).toEqual([answer, answer]);
});

it("E-03 answers from before an interruption are compared as if there had been none", async () => {
  const asked: PreferenceQuestion[] = [];
  const judge: Judge = {
    id: "j",
    judge: () => Promise.reject(new Error("not asked")),
    async prefer(question) {
      asked.push(question);
      return { ok: true, winner: "tie", evidence: "e" };
    },
  };
  const placed = placedJudge(judge, "/tmp/skillwright-eval-a1B2c3", { all: [] } as never);
  await placed.prefer({
    input: "go",
    criteria: "so",
    first: "/tmp/skillwright-eval-a1B2c3/trial-Xy3Zq0/a.csv",
    second: "/tmp/skillwright-eval-zzzzzz/trial-000000/a.csv, /tmp/skillwright-evaluation/trial-x",
  });
  expect(asked).toMatchObject([
    {
      first: "/eval/trial/a.csv",
      second: "/eval/trial/a.csv, /tmp/skillwright-evaluation/trial-x",
    },
  ]);
});
