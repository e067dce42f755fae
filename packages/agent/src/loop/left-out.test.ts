import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ApprovalRequest } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import {
  action,
  agentWorld,
  APPROVED,
  callingModel,
  gatedPolicy,
} from "../../../../test/support/agent-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import { createSequenceModel } from "../models/mock/create-sequence-model.ts";
import { resumeAgent } from "../resume-agent.ts";
import { createMemoryStore } from "../runs/memory-store.ts";
import { replayRun } from "../runs/replay/replay-run.ts";

const FILES = { "project/pdf/SKILL.md": skillText("pdf"), "work/a.txt": "one\n" };
const ANSWER = { action: "final_answer", answer: "done" };
const settings = { ask: [], allow: ["write_file"] };

const CONTENTS: readonly (readonly [string, string])[] = [
  ["a template", "user=me\npassword=changeme\nhost=db.local port=5432\n"],
  ["code", "def check(user):\n    token = get_token(user)\n    if token: return True\n"],
  ["a token behind a line break", `tok:\nghp_${"a1".repeat(18)}\n`],
  ["JSON by its names", '{"otp":"918273","dsn":"db://x"}'],
];
const SECRET = /changeme|ghp_|918273|db:\/\/x/;

describe("what the record leaves out", () => {
  it.each(CONTENTS)(
    "P-03 P-04 is done as it was decided, and recorded without: %s",
    async (_, content) => {
      const input = { path: "out.txt", content };
      const models = [
        createSequenceModel([{ action: "write_file", ...input }, ANSWER]),
        createSequenceModel([
          `So: ${JSON.stringify({ action: "use_tool", tool: "write_file", input })}`,
          ANSWER,
        ]),
        callingModel([action("write_file", input), action("final_answer", { answer: "done" })]),
      ];
      for (const model of models) {
        const { run, folder } = await agentWorld({ files: FILES });
        const { policy } = gatedPolicy(folder, { settings });
        const { result, records, requests } = await run(model, { policy });
        expect(result.status).toBe("answered");
        expect(readFileSync(join(folder, "work/out.txt"), "utf8")).toBe(content);
        expect(JSON.stringify([records, requests, result])).not.toMatch(SECRET);
        expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
      }
    },
  );

  it("P-04 code is no secret: nothing is left out of it", async () => {
    const { run, folder } = await agentWorld({ files: FILES });
    const { policy } = gatedPolicy(folder, { settings });
    const [, content] = CONTENTS[1]!;
    const { of } = await run([{ action: "write_file", path: "out.py", content }, ANSWER], {
      policy,
    });
    expect(of("action-decide")[0]).toMatchObject({ action: { input: { content } } });
    expect(of("action-decide")[0]?.redacted).toBeUndefined();
  });

  it("A-02 a valid answer stays valid, whatever it tells", async () => {
    const { run } = await agentWorld({ files: FILES });
    const answer = 'In the file:\ntoken=abc123\n"name" is next.';
    const { result, names } = await run([{ action: "final_answer", answer }]);
    expect(names).not.toContain("action-reject");
    expect(result).toMatchObject({
      status: "answered",
      answer: 'In the file:\ntoken=[redacted]\n"name" is next.',
    });
  });

  it("P-04 a result that is JSON is recorded by its fields", async () => {
    const { run } = await agentWorld({ files: FILES });
    const text = JSON.stringify({ otp: "918273", log: `a\nghp_${"a1".repeat(18)}` });
    const tool = {
      name: "look",
      description: "Looks.",
      inputSchema: { type: "object", properties: {} },
      execute: async () => ({ ok: true }),
      toText: () => text,
    } as const;
    const { of, records } = await run([{ action: "look" }, ANSWER], { tools: [tool] });
    expect(of("action-end")[0]?.observation).toBe('{"log":"a\\n[redacted]","otp":"[redacted]"}');
    expect(JSON.stringify(records)).not.toMatch(SECRET);
  });
});

describe("an approval of what the record leaves out", () => {
  const content = "user=me\npassword=changeme\n";
  const write = { action: "write_file", path: "out.txt", content };

  it("P-02 is given for what is done, and nobody can guess it from its digest", async () => {
    const { run, folder } = await agentWorld({ files: FILES });
    const { policy, asked } = gatedPolicy(folder, {
      decide: () => ({ ...APPROVED, scope: "run" }),
    });
    const { records } = await run([write, ANSWER], { policy });
    expect(asked[0]).toMatchObject({ input: { path: "out.txt", content } });
    expect(readFileSync(join(folder, "work/out.txt"), "utf8")).toBe(content);
    const data = (name: string) =>
      records.find(({ event }) => event === name)?.data as Partial<ApprovalRequest>;
    expect(data("approval-request")).toMatchObject({
      input: { content: "user=me\npassword=[redacted]\n" },
      inputDigest: "[redacted]",
    });
    expect(data("approval-decision")).toMatchObject({ approval: null });
    const text = JSON.stringify(records);
    expect(text).not.toContain(asked[0]?.inputDigest);
  });

  it("P-02 does not outlive the process: the model decides again, and is asked about again", async () => {
    const { run, folder, skills } = await agentWorld({ files: FILES });
    const store = createMemoryStore();
    const nobody = gatedPolicy(folder);
    const { result } = await run([write], { policy: nobody.policy, store });
    expect(result).toMatchObject({
      status: "needs_approval",
      reason: expect.stringContaining("while the run goes on"),
      hint: expect.not.stringContaining("--approve"),
    });
    const { runId, approval = "" } = result;
    const somebody = gatedPolicy(folder, { decide: () => APPROVED });
    const resumed = await resumeAgent({
      runId,
      store,
      skills,
      model: createSequenceModel([write, ANSWER]),
      policy: somebody.policy,
      approve: approval,
    });
    expect(resumed).toMatchObject({ ok: true, status: "answered" });
    expect(somebody.asked).toHaveLength(1);
    expect(somebody.asked[0]?.id).not.toBe(approval);
    expect(readFileSync(join(folder, "work/out.txt"), "utf8")).toBe(content);
    const records = (await store.read(runId)) ?? [];
    const end = records.find(({ event }) => event === "action-end");
    expect(end?.data).toMatchObject({ ok: false, code: "left-out" });
    expect(JSON.stringify(records)).not.toContain("changeme");
    expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
  });

  it("P-02 which one a run waits for is told to nobody who does not know it", async () => {
    const { run, folder, skills } = await agentWorld({ files: FILES });
    const store = createMemoryStore();
    const { policy } = gatedPolicy(folder);
    const { result } = await run([{ ...write, content: "x" }], { policy, store });
    const failed = await resumeAgent({
      runId: result.runId,
      store,
      skills,
      model: createSequenceModel([]),
      policy,
      approve: "x",
    });
    expect(failed).toMatchObject({ ok: false, code: "approval-unknown" });
    expect(JSON.stringify(failed)).not.toContain(result.approval);
  });
});
