import type { Judge, JudgeQuestion } from "@skillwright/evals";
import type { Skills } from "@skillwright/core";
import { expect, it } from "vitest";
import { placedJudge } from "./placed-judge.ts";

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
