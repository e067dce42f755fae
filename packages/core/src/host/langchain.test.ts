import { chatOf } from "../../../../test/support/chat-of.ts";
import { AIMessage, ToolMessage } from "@langchain/core/messages";
import { type StructuredToolInterface, tool } from "@langchain/core/tools";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";
import { describe, expect, it } from "vitest";
import { openToolSkills } from "../../../../test/support/tool-skills.ts";
import { toLangChainTools } from "./langchain.ts";

async function tools() {
  const { skills } = await openToolSkills();
  return toLangChainTools<StructuredToolInterface>(chatOf(skills).tools(), tool);
}

async function load(args: Record<string, unknown>): Promise<ToolMessage> {
  const [loadSkill] = await tools();
  const call = { type: "tool_call" as const, id: "call-1", name: "load_skill", args };
  return (await loadSkill!.invoke(call)) as ToolMessage;
}

describe("H-02 LangChain", () => {
  it("H-02 D-04 a tool call gives a message with the skill's instructions", async () => {
    const message = await load({ skill_name: "pdf-processing" });
    expect(message).toBeInstanceOf(ToolMessage);
    expect(message.tool_call_id).toBe("call-1");
    expect(message.content).toContain("Step 1: open the file.");
    expect(message.artifact).toMatchObject({ ok: true, name: "pdf-processing" });
  });

  it("H-02 a model is shown the real schema", async () => {
    const all = await tools();
    expect(all.map((one) => convertToOpenAITool(one).function.name)).toEqual([
      "load_skill",
      "read_skill_file",
      "list_skill_files",
    ]);
    expect(convertToOpenAITool(all[0]!).function.parameters).toMatchObject({
      type: "object",
      properties: { skill_name: { enum: ["dates", "pdf-processing"] } },
      required: ["skill_name"],
    });
  });

  it("H-02 tools can be called without a tool call, as in a chain", async () => {
    const [, , listFiles] = await tools();
    expect(await listFiles!.invoke({ skill_name: "dates" })).toMatch(/^SKILL\.md \(\d+ bytes\)$/);
  });

  it.each([
    [{ SkillName: "DATES" }, "# Dates"],
    [{ skill_name: "nope" }, "Error: there is no skill named"],
    [{}, 'Error: the parameter "skill_name" is missing'],
    [{ skill_name: 5 }, 'Error: there is no skill named "5"'],
  ])("H-02 T-07 %j is answered by the tool, not by an exception", async (args, text) => {
    expect((await load(args)).content).toContain(text);
  });

  it("H-02 the calls of a model's message can be run one by one", async () => {
    const all = await tools();
    const answer = new AIMessage({
      content: "",
      tool_calls: [
        { id: "1", name: "load_skill", args: { skill_name: "dates" }, type: "tool_call" },
        { id: "2", name: "load_skill", args: { skill_name: "pdf-processing" }, type: "tool_call" },
      ],
    });
    const results = await Promise.all(
      answer.tool_calls!.map((call) => all.find(({ name }) => name === call.name)!.invoke(call)),
    );
    expect(results.map((one) => (one as ToolMessage).tool_call_id)).toEqual(["1", "2"]);
  });
});
