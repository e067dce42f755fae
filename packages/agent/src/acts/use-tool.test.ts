import type { SkillTool } from "@skillwright/core";
import { AuditError } from "@skillwright/runtime";
import { describe, expect, it } from "vitest";
import {
  action,
  agentWorld,
  APPROVED,
  callingModel,
  gatedPolicy,
} from "../../../../test/support/agent-world.ts";
import { replayRun } from "../runs/index.ts";
import { skillText } from "../../../../test/support/skill-tree.ts";

const tool = (execute: SkillTool["execute"], more: Partial<SkillTool> = {}): SkillTool => ({
  name: "host_tool",
  description: "Does it.",
  inputSchema: { type: "object", properties: {} },
  execute,
  toText: (result) => (typeof result === "string" ? result : JSON.stringify(result)),
  ...more,
});
const use = (input: object = {}) => ({ action: "use_tool", tool: "host_tool", input });
const ANSWER = { action: "final_answer", answer: "done" };

async function call(...tools: SkillTool[]) {
  const { run } = await agentWorld({ files: {} });
  return run([use({ a: 1 }), ANSWER], { tools });
}

describe("use_tool", () => {
  it("A-01 calls a tool of the host and shows what it gave", async () => {
    const { of } = await call(tool(async (input) => ({ given: input })));
    expect(of("action-end")[0]).toMatchObject({ ok: true, observation: '{"given":{"a":1}}' });
  });

  it.each([
    ["ok is false", async () => ({ ok: false, code: "busy", message: "later" }), {}, "busy"],
    ["success is false", async () => ({ success: false, code: "no" }), {}, "no"],
    ["it says so itself", async () => "bad", { isError: () => true }, undefined],
    ["it throws", async () => Promise.reject(new Error("boom")), {}, "act-failed"],
    [
      "its result cannot be shown",
      async () => "x",
      {
        toText: () => {
          throw new Error("boom");
        },
      },
      "act-failed",
    ],
  ])("A-02 a call failed when %s, and the run goes on", async (_, execute, more, code) => {
    const { of, result } = await call(tool(execute, more));
    expect(of("action-end")[0]?.ok).toBe(false);
    expect(of("action-end")[0]?.code).toBe(code);
    expect(result.status).toBe("answered");
  });

  it("A-12 an image larger than a field of the record is seen, and kept beside the record", async () => {
    const { run } = await agentWorld({ files: {} });
    const image = { mediaType: "image/png", data: "A".repeat(400_000) } as const;
    const look = tool(async () => ({ ok: true, image }), { toText: () => "a picture" });
    const model = { ...callingModel([action("host_tool"), "done"]), acceptsImages: true };
    const { of, result, requests } = await run(model, { tools: [look] });
    expect(result.status).toBe("answered");
    expect(requests.at(-1)?.messages.at(-1)).toMatchObject({ images: [image] });
    const [ended] = of("action-end");
    expect(ended?.images).toMatchObject([{ mediaType: "image/png", bytes: 300_000 }]);
    expect(ended?.images?.[0]).not.toHaveProperty("data");
    // The next message of the chat, with an image of its own.
    const { conversation } = result;
    const given = {
      path: "a.png",
      bytes: 300_000,
      digest: "sha256:0",
      image: { ...image, bytes: 300_000, digest: "sha256:0" },
    } as const;
    const next = await run(
      { ...callingModel(["done"]), acceptsImages: true },
      {
        conversation,
        attachments: [given],
      },
    );
    expect(next.result.status).toBe("answered");
    expect(next.requests[0]?.messages.filter((one) => "images" in one)).toHaveLength(2);
    expect(await replayRun(next.records)).toMatchObject({ ok: true, hasEnded: true });
  });

  it("P-03 what cannot be recorded ends the run with an error, not with a result", async () => {
    const full = tool(() => Promise.reject(new AuditError("audit-unwritable", "disk full")));
    await expect(call(full)).rejects.toThrow("disk full");
  });

  it("A-01 of two tools of one name, or of an action's name, the model is offered one", async () => {
    const second = tool(async () => "second");
    const fake = tool(async () => "fake", { name: "final_answer" });
    const { requests, of } = await call(
      tool(async () => "first"),
      second,
      fake,
    );
    const names = requests[0]?.actions.map(({ name }) => name) ?? [];
    expect(names.filter((name) => name === "host_tool").length).toBe(1);
    expect(names.filter((name) => name === "final_answer").length).toBe(1);
    expect(of("action-end")[0]?.observation).toBe("first");
  });

  it("A-04 a tool that outlasts the time of the run is stopped", async () => {
    const { run } = await agentWorld({ files: {} });
    const slow = tool(
      (_, { signal } = {}) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(new Error("stopped")));
        }),
    );
    const { result, of } = await run([use(), ANSWER], { tools: [slow], budget: { timeMs: 200 } });
    expect(result.status).toBe("budget_exhausted");
    expect(of("action-end")[0]).toMatchObject({ ok: false, code: "timed-out" });
  });

  it("A-04 a tool that never ends and does not listen is left behind when the time is up", async () => {
    const { run } = await agentWorld({ files: {} });
    const deaf = tool(() => new Promise(() => {}));
    const { result, of } = await run([use(), ANSWER], { tools: [deaf], budget: { timeMs: 200 } });
    expect(result.status).toBe("budget_exhausted");
    expect(of("action-end")[0]).toMatchObject({ ok: false, code: "timed-out" });
  });

  it("A-04 and when somebody cancels; then nothing is said of what came of it", async () => {
    const { run } = await agentWorld({ files: {} });
    const canceled = new AbortController();
    const deaf = tool(() => {
      canceled.abort();
      return new Promise(() => {});
    });
    const { signal } = canceled;
    const { result, names } = await run([use(), ANSWER], { tools: [deaf], signal });
    expect(result.status).toBe("canceled");
    expect(names).toContain("tool-call");
    expect(names).not.toContain("action-end");
  });
});

describe("run_script", () => {
  it("P-02 what an approver throws ends the work as it is, and approves nothing", async () => {
    const { run, folder } = await agentWorld({
      files: { "project/a/SKILL.md": skillText("a"), "project/a/scripts/x.py": "" },
    });
    const interrupt = new Error("the host waits for a person");
    const { policy, ran } = gatedPolicy(folder, {
      decide: () => {
        throw interrupt;
      },
    });
    const skill = { name: "a" };
    const work = run(
      [
        { action: "select_skills", skills: [skill] },
        { action: "run_script", skill, relative_path: "x.py" },
        ANSWER,
      ],
      { policy },
    );
    expect(await work.catch((error: unknown) => error)).toBe(interrupt);
    expect(ran).toEqual([]);
  });

  it("P-01 X-01 a tool that the skill does not declare cannot be called for it, approved or not", async () => {
    const { run, folder } = await agentWorld({
      files: {
        "project/a/SKILL.md": skillText("a", undefined, "allowed-tools: Read\n"),
        "project/a/scripts/x.py": "",
      },
    });
    const { policy, ran, asked } = gatedPolicy(folder, {
      decide: () => APPROVED,
      settings: { allowedTools: "restrict" },
    });
    const skill = { name: "a" };
    const { names, of } = await run(
      [
        { action: "select_skills", skills: [skill] },
        { action: "run_script", skill, relative_path: "x.py" },
        { action: "use_tool", tool: "write_file", input: { path: "b", content: "c" } },
        ANSWER,
      ],
      { policy },
    );
    expect(names.filter((name) => name === "policy-deny").length).toBe(2);
    expect(of("action-end").map(({ ok }) => ok)).toEqual([true, false, false]);
    expect([...ran, ...asked]).toEqual([]);
  });
});
