import { createRedactor } from "@skillwright/runtime";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { bareTrial } from "../../../../test/support/example-results.ts";
import {
  type AnswerPreference,
  type Arm,
  type EvalCase,
  type Expected,
  type Judge,
  type Preference,
  type PreferenceQuestion,
  type TrialResult,
} from "../index.ts";
import { compareArms } from "./index.ts";

const ARMS: Arm["name"][] = ["with_skill", "without_skill"];

function caseOf(
  id: string,
  expected: Partial<Expected> = { statements: ["It is short"] },
  more: Partial<EvalCase> = {},
): EvalCase {
  return {
    id,
    title: id,
    input: `go ${id}`,
    files: [],
    expected: { sequence: [], output: [], statements: [], ...expected },
    constraints: { forbiddenTools: [], requiredTools: [] },
    tags: [],
    origin: { file: "/cases.yaml", line: 1, dialect: "skillwright" },
    ...more,
  };
}

/** A trial in each arm. */
function both(caseId: string, first: string, second: string, trial = 1): TrialResult[] {
  const answers = [first, second];
  return ARMS.map((arm, at) => bareTrial(caseId, { arm, trial, answer: answers[at] ?? "" }));
}

type Asked = Judge & { readonly asked: PreferenceQuestion[] };

function judgeOf(
  prefer: (question: PreferenceQuestion) => Preference | Promise<Preference>,
): Asked {
  const asked: PreferenceQuestion[] = [];
  return {
    id: "j",
    asked,
    judge: () => Promise.reject(new Error("not asked")),
    async prefer(question) {
      asked.push(question);
      return prefer(question);
    },
  };
}

const shorter = () =>
  judgeOf(({ first, second }) => {
    const winner = first.length < second.length ? "first" : "second";
    return { ok: true, winner, evidence: `${winner} is shorter` };
  });

const winners = (all: readonly AnswerPreference[]) =>
  all.map((one) => ("winner" in one ? one.winner : one.error.code));

describe("compareArms", () => {
  it("E-02 a judge with an opinion is believed, in the order of the plan", async () => {
    const judge = shorter();
    const cases = [caseOf("b"), caseOf("a")];
    const trials = [
      ...both("a", "long answer", "short", 2),
      ...both("a", "a", "bbb", 1),
      ...both("b", "x", "yy"),
    ];
    const told = await compareArms({ cases, arms: ARMS, trials, judge });
    expect(told).toEqual([
      {
        caseId: "b",
        trial: 1,
        other: "without_skill",
        winner: "first",
        evidence: "first is shorter",
      },
      {
        caseId: "a",
        trial: 1,
        other: "without_skill",
        winner: "first",
        evidence: "first is shorter",
      },
      {
        caseId: "a",
        trial: 2,
        other: "without_skill",
        winner: "second",
        evidence: "second is shorter",
      },
    ]);
    expect(judge.asked).toHaveLength(6);
    expect(judge.asked[0]).toMatchObject({ input: "go b", criteria: "- It is short" });
  });

  it("E-02 a judge that prefers a place gives ties that say so", async () => {
    const judge = judgeOf(() => ({ ok: true, winner: "first", evidence: "it stands first" }));
    const told = await compareArms({
      cases: [caseOf("a"), caseOf("b")],
      arms: ARMS,
      trials: [...both("a", "x", "y"), ...both("b", "same", "same")],
      judge,
    });
    expect(told).toMatchObject([
      { winner: "tie", dependsOnOrder: true, evidence: expect.stringContaining("order") as string },
      { winner: "tie", evidence: "both answers are the same" },
    ]);
    expect(told[1]).not.toHaveProperty("dependsOnOrder");
    expect(judge.asked).toHaveLength(2);
  });

  it("E-02 only what says something about an answer is compared, and no trial that is an error", async () => {
    const judge = shorter();
    const cases = [
      caseOf("trigger", { skills: { used: ["pdf"], unused: [], only: true } }),
      caseOf("mock", { statements: ["s"] }, { mock: { actions: [] } }),
      caseOf("files", { output: [{ type: "file-exists", path: "a" }] }),
      caseOf("json-file", { output: [{ type: "json-path", path: "$.a", file: "a.json" }] }),
      caseOf("error"),
      caseOf("alone"),
      caseOf("text", { output: [{ type: "contains", value: "x" }] }),
    ];
    const trials = cases.flatMap(({ id }) => both(id, "a", "bb"));
    const told = await compareArms({
      cases,
      arms: ARMS,
      trials: trials
        .map((one) =>
          one.caseId === "error" && one.arm === "without_skill"
            ? { ...one, outcome: "error" as const }
            : one,
        )
        .filter(({ caseId, arm }) => caseId !== "alone" || arm === "with_skill"),
      judge,
    });
    expect(told.map(({ caseId }) => caseId)).toEqual(["text"]);
    expect(judge.asked[0]?.criteria).toContain("does what was asked");
    expect(await compareArms({ cases, arms: ["with_skill"], trials, judge })).toEqual([]);
  });

  it("E-02 every other arm is compared with the tested one, and not with another", async () => {
    const judge = shorter();
    const arms: Arm["name"][] = ["with_skill", "without_skill", "old_skill"];
    const old = bareTrial("a", { arm: "old_skill", answer: "x" });
    const trials = [...both("a", "yy", "zzz"), old];
    const told = await compareArms({ cases: [caseOf("a")], arms, trials, judge });
    expect(told.map(({ other }) => other)).toEqual(["without_skill", "old_skill"]);
    expect(winners(told)).toEqual(["first", "second"]);
    expect(judge.asked).toHaveLength(4);
  });

  it("E-02 whatever keeps the judge from telling is an error, never a win", async () => {
    const secret = "hunter2-hunter2-hunter2";
    const judge = judgeOf(async ({ input, signal }) => {
      if (input === "go fails") return { ok: false, code: "judge-failed", message: secret };
      if (input === "go throws") throw new Error("oh");
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      return { ok: false, code: "judge-failed", message: "canceled" };
    });
    const ids = ["fails", "throws", "late", "empty"];
    const told = await compareArms({
      cases: ids.map((id) => caseOf(id, undefined, id === "late" ? { timeoutMs: 5 } : {})),
      arms: ARMS,
      trials: ids.flatMap((id) => both(id, id === "empty" ? " " : "a", "b")),
      judge,
      redactor: createRedactor({ env: { A_PASSWORD: secret } }),
    });
    expect(winners(told)).toEqual(["judge-failed", "judge-failed", "timed-out", "no-answer"]);
    expect(JSON.stringify(told)).not.toContain(secret);
    expect(judge.asked.map(({ input }) => input)).not.toContain("go empty");
  });

  it("E-03 what was told is not asked again; an error is", async () => {
    const judge = shorter();
    const known: AnswerPreference[] = [
      { caseId: "a", trial: 1, other: "without_skill", winner: "tie", evidence: "known" },
      { caseId: "b", trial: 1, other: "without_skill", error: { code: "x", message: "" } },
    ];
    const kept: AnswerPreference[] = [];
    const told = await compareArms({
      cases: [caseOf("a"), caseOf("b")],
      arms: ARMS,
      trials: [...both("a", "x", "yy"), ...both("b", "x", "yy")],
      judge,
      done: known,
      onPreference: (one) => kept.push(one),
    });
    expect(winners(told)).toEqual(["tie", "first"]);
    expect(kept.map(({ caseId }) => caseId)).toEqual(["b"]);
  });

  it("E-03 stop lets it end what it was asked; a signal ends it now, and nothing is made up", async () => {
    const ids = ["a", "b", "c"];
    const given = {
      cases: ids.map((id) => caseOf(id)),
      arms: ARMS,
      trials: ids.flatMap((id) => both(id, "x", "yy")),
      concurrency: 1,
    };
    const stop = new AbortController();
    const stopping = judgeOf(({ first }) => {
      stop.abort();
      return { ok: true, winner: first === "x" ? "first" : "second", evidence: "e" };
    });
    expect(winners(await compareArms({ ...given, judge: stopping, stop: stop.signal }))).toEqual([
      "first",
    ]);
    const end = new AbortController();
    const ending = judgeOf(() => {
      end.abort();
      return { ok: false, code: "judge-failed", message: "canceled" };
    });
    expect(await compareArms({ ...given, judge: ending, signal: end.signal })).toEqual([]);
  });

  it("E-03 who waits for a turn has all the time afterwards", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const judge = judgeOf(async ({ first, signal, pause }) => {
      const goOn = pause?.();
      await vi.advanceTimersByTimeAsync(60_000);
      goOn?.();
      if (signal?.aborted === true) return { ok: false, code: "late", message: "" };
      return { ok: true, winner: first === "x" ? "first" : "second", evidence: "e" };
    });
    const cases = [caseOf("a", undefined, { timeoutMs: 5000 })];
    const told = await compareArms({ cases, arms: ARMS, trials: both("a", "x", "y"), judge });
    expect(winners(told)).toEqual(["first"]);
  });
});
