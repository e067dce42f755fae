import type { AuditRecord } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import { agentWorld } from "../../../../../test/fault/agent-world.ts";
import { createSequenceModel, type Model, type RunOptions, runAgent } from "../../index.ts";
import type { SequenceEntry } from "../../internal/index.ts";
import { replayRun } from "../index.ts";

const SELECT = { action: "select_skills", skills: [{ name: "pdf" }] };
const ACT = {
  action: "run_script",
  skill: { name: "pdf" },
  relative_path: "scripts/act.py",
  args: ["x"],
};
const TOUCH = { action: "touch", what: "y" };
const ANSWER = { action: "final_answer", answer: "done" };

async function recordOf(
  model: Model | readonly SequenceEntry[],
  more: Partial<RunOptions> = {},
): Promise<AuditRecord[]> {
  const { skills, policy, tools } = await agentWorld();
  const records: AuditRecord[] = [];
  await runAgent({
    request: "go",
    skills,
    policy,
    tools,
    model: "decide" in model ? model : createSequenceModel(model),
    onEvent(event) {
      if (event.event !== "text-delta") records.push(event);
    },
    ...more,
  });
  // As they are once they were written and read.
  return JSON.parse(JSON.stringify(records)) as AuditRecord[];
}

/** With one record as somebody else would have it. */
function changed(records: readonly AuditRecord[], event: string, change: object): AuditRecord[] {
  const index = records.findIndex((record) => record.event === event);
  return records.map((record, i) =>
    i === index ? { ...record, data: { ...(record.data as object), ...change } } : record,
  );
}

describe("replayRun", () => {
  it.each<[string, readonly SequenceEntry[]]>([
    ["answered", [SELECT, ACT, TOUCH, ANSWER]],
    ["model_failed", [SELECT, ACT]],
    ["invalid_output", Array.from({ length: 6 }, (_, i) => `{"action": "no ${i}"`)],
    ["the same again and again", [SELECT, SELECT, SELECT, SELECT, ANSWER]],
    ["an answer too long to be used", ["x".repeat(200_000), ANSWER]],
    ["one too long with secrets", ["password=abc1 ".repeat(20_000), ANSWER]],
    [
      "secrets everywhere",
      [
        { ...TOUCH, what: `tok:\nghp_${"a1".repeat(18)}`, otp: "918273", dsn: "db://x" },
        { ...TOUCH, what: "user=me\npassword=changeme\nhost=db port=5432", token: null },
        `<think>password={</think> I use token=abc1: ${JSON.stringify({ ...TOUCH, secret: "abcd" })} {x}`,
        '{"action":"touch","what":"a",/* no */"password":"abcd"}',
        '{"action":"touch","what":"a","__proto__":"x","what":"token=\'","b":"it\'s"}, // password=abc1',
        `Here: {"action": "final_answer", "answer": "password: abc1`,
        {
          action: "final_answer",
          answer: 'In the file:\ntoken=abc123\n"name" is next. {"password":null,"otp":"123456"}',
        },
      ],
    ],
    [
      "an answer in prose with JSON in it",
      ['It is {"a":"token=\'","b":"it\'s"} and password=abc1'],
    ],
  ])("P-03 drives the loop to the same events: %s", async (_, entries) => {
    const records = await recordOf(entries);
    const expected = { ok: true, events: records.length, hasEnded: true };
    expect(await replayRun(records)).toEqual(expected);
  });

  it("P-03 also when it was canceled, or called by name, or out of budget", async () => {
    const stop = new AbortController();
    const canceling: Model = {
      ...createSequenceModel([SELECT, ANSWER]),
      async decide() {
        stop.abort();
        const text = JSON.stringify(SELECT);
        const usage = {
          inputTokens: 1,
          outputTokens: 1,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          calls: 1,
        };
        return { ok: true, message: { text, calls: [] }, finish: "stop", usage, latencyMs: 0 };
      },
    };
    const runs = [
      await recordOf(canceling, { signal: stop.signal }),
      await recordOf([ACT, ANSWER], { request: "/pdf x" }),
      await recordOf([ANSWER], { request: "/nothing x" }),
      await recordOf([SELECT, ACT, TOUCH, ANSWER], { budget: { turns: 2 } }),
    ];
    for (const records of runs) {
      expect(records.at(-1)?.event).toBe("run-end");
      expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
    }
  });

  it("P-03 every beginning of a record is one that was cut off", async () => {
    const records = await recordOf([SELECT, ACT, TOUCH, ANSWER]);
    for (let i = 1; i < records.length; i++) {
      const cut = records.slice(0, i);
      expect(await replayRun(cut)).toEqual({ ok: true, events: i, hasEnded: false });
    }
  });

  it.each([
    ["model-request", { digest: "sha256:0" }],
    ["model-request", { tokens: 1 }],
    ["action-decide", { action: ANSWER }],
    ["run-end", { status: "denied" }],
    ["run-end", { answer: "another" }],
  ])("P-03 finds the first difference: %s with %j", async (event, change) => {
    const records = await recordOf([SELECT, ACT, ANSWER]);
    const index = records.findIndex((record) => record.event === event);
    const result = await replayRun(changed(records, event, change));
    expect(result).toMatchObject({
      ok: false,
      difference: { index, expected: { event }, got: { event, data: records[index]?.data } },
    });
  });

  it("P-03 what the model said decides what comes after it", async () => {
    const records = await recordOf([SELECT, ACT, ANSWER]);
    const said = changed(records, "model-response", { text: JSON.stringify(TOUCH) });
    expect(await replayRun(said)).toMatchObject({
      ok: false,
      difference: { got: { event: "action-decide", data: { action: { tool: "touch" } } } },
    });
    const longer = [...records, records[1] as AuditRecord];
    expect(await replayRun(longer)).toMatchObject({
      ok: false,
      difference: { index: records.length },
    });
  });
});
