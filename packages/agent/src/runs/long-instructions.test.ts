import { describe, expect, it } from "vitest";
import { agentWorld } from "../../../../test/support/agent-world.ts";
import { createMemoryStore, createSequenceModel, resumeAgent } from "../index.ts";
import { replayRun } from "./index.ts";

const HEAD = "---\nname: long\ndescription: Long. Use it.\n---\n";
const LINE = "逐行阅读说明，然后填写表格的每一个字段。password=hunter2 \n";
const SELECT = { action: "select_skills", skills: ["long"] };
const ANSWER = { action: "final_answer", answer: "done" };

/** A model with room for everything. */
const large = (entries: Parameters<typeof createSequenceModel>[0]) => ({
  ...createSequenceModel(entries),
  contextTokens: 1_000_000,
});

function bodyOf(characters: number): string {
  return `# Goal\n\n${LINE.repeat(Math.ceil(characters / LINE.length))}The end.\n`;
}

describe("instructions that are longer than a record takes", () => {
  it.each([80_000, 140_000, 320_000])(
    "D-11 reach a model with room whole: %i characters",
    async (characters) => {
      const body = bodyOf(characters);
      const { run } = await agentWorld({ files: { "project/long/SKILL.md": HEAD + body } });
      const { requests, records, result } = await run(large([SELECT, ANSWER]));
      expect(result.status).toBe("answered");
      expect(requests[1]?.messages.at(-1)?.content).toContain(body);
      const activation = records.find(({ event }) => event === "skill-activate");
      const recorded = JSON.stringify(activation);
      expect(Buffer.byteLength(recorded)).toBeLessThan(500_000);
      expect(recorded).not.toContain("hunter2");
      expect(recorded.includes("The record leaves out")).toBe(characters > 100_000);
      expect(await replayRun(records)).toMatchObject({ ok: true, hasEnded: true });
    },
  );

  it("A-05 P-03 stay whole for the next request of a chat, and when a run is resumed", async () => {
    const body = bodyOf(150_000);
    const { run, skills } = await agentWorld({ files: { "project/long/SKILL.md": HEAD + body } });
    const first = await run(large([SELECT, ANSWER]));
    const { conversation } = first.result;
    const second = await run(large([ANSWER]), { conversation });
    const isWhole = (messages: readonly { readonly content: string }[] = []) =>
      messages.filter(({ content }) => content.includes(body)).length;
    expect(isWhole(second.requests[0]?.messages)).toBe(1);
    const store = createMemoryStore();
    const stopped = await run(large([SELECT]), { store });
    const model = large([ANSWER]);
    const seen: number[] = [];
    const resumed = await resumeAgent({
      skills,
      store,
      runId: stopped.result.runId,
      model: {
        ...model,
        decide(request, context) {
          seen.push(isWhole(request.messages));
          return model.decide(request, context);
        },
      },
    });
    expect(resumed).toMatchObject({ ok: true, status: "answered" });
    expect(seen).toEqual([1]);
  });

  it("D-02 a name with @ and lines that end in CRLF change nothing", async () => {
    const text =
      "---\r\nname: mentx@doctor\r\ndescription: Helps.\r\n---\r\n\r\n# 问题\r\n\r\n一\r\n";
    const { run } = await agentWorld({ files: { "project/mentx-doctor/SKILL.md": text } });
    const select = { action: "select_skills", skills: ["mentx@doctor"] };
    const { requests } = await run([select, ANSWER]);
    expect(requests[1]?.messages.at(-1)?.content).toContain("\n# 问题\n\n一\n");
  });
});
