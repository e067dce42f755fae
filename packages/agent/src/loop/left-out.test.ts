import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "@skillwright/core/internal";
import type { ApprovalRequest } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import {
  action,
  agentWorld,
  APPROVED,
  callingModel,
  gatedPolicy,
  withoutExactTexts,
} from "../../../../test/support/agent-world.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";
import {
  createMemoryStore,
  createSequenceModel,
  replayRun,
  resumeAgent,
  type RunStore,
} from "../index.ts";

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
        expect(JSON.stringify(records)).not.toMatch(SECRET);
        // The model goes on with what it said, letter by letter.
        const said = JSON.stringify(requests[1]?.messages[1]);
        expect(said.includes("[redacted]")).toBe(false);
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
    const { result, names, records } = await run([{ action: "final_answer", answer }]);
    expect(names).not.toContain("action-reject");
    expect(result).toMatchObject({ status: "answered", answer });
    expect(records.at(-1)?.data).toMatchObject({
      answer: 'In the file:\ntoken=[redacted]\n"name" is next.',
      redacted: true,
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

  it("P-02 is given for what is done, and its digest needs the user's key", async () => {
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
    });
    expect(data("workspace-write")).toMatchObject({ digest: "[redacted]" });
    const text = JSON.stringify(records);
    expect(text).not.toContain("changeme");
    // No digest in the record is one that a guess could be compared with.
    const { input } = asked[0] ?? {};
    for (const guess of [content, JSON.stringify(input), "changeme", canonicalJson(input)]) {
      expect(text).not.toContain(createHash("sha256").update(guess).digest("hex"));
    }
  });

  /** Waits for an approval, then goes on with it in another process. */
  async function approveLater(change: (store: RunStore) => RunStore = (store) => store) {
    const { run, folder, skills } = await agentWorld({ files: FILES });
    const store = createMemoryStore();
    const { policy } = gatedPolicy(folder);
    const { result } = await run([write], { policy, store });
    expect(result).toMatchObject({
      status: "needs_approval",
      approval: expect.any(String) as string,
    });
    const { runId, approval = "" } = result;
    const later = gatedPolicy(folder, { decide: () => APPROVED });
    const resume = (entries: readonly object[], approve?: string) =>
      resumeAgent({
        runId,
        store: change(store),
        skills,
        policy: later.policy,
        model: createSequenceModel(entries as never),
        ...(approve !== undefined && { approve }),
      });
    const after = async () => {
      const records = (await store.read(runId)) ?? [];
      expect(JSON.stringify(records)).not.toContain("changeme");
      expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
      expect(readFileSync(join(folder, "work/out.txt"), "utf8")).toBe(content);
      return records;
    };
    return { approval, resume, after, asked: later.asked, store };
  }

  it("P-02 the run that waited for it goes on with the exact call, and asks nobody again", async () => {
    const { approval, resume, after, asked } = await approveLater();
    expect(await resume([ANSWER], approval)).toMatchObject({ ok: true, status: "answered" });
    expect(asked).toEqual([]);
    await after();
  });

  it("P-02 without exact texts the model makes the call again, and it is asked about again", async () => {
    const { approval, resume, after, asked } = await approveLater(withoutExactTexts);
    expect(await resume([ANSWER], approval)).toMatchObject({
      ok: false,
      code: "approval-request-invalid",
    });
    expect(await resume([write, ANSWER])).toMatchObject({ ok: true, status: "answered" });
    expect(asked).toHaveLength(1);
    const end = (await after()).find(({ event }) => event === "action-end");
    expect(end?.data).toMatchObject({ ok: false, code: "left-out" });
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
