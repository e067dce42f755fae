import { chatOf } from "../../../../test/support/chat-of.ts";
import { generateText, jsonSchema, stepCountIs, type ToolSet } from "ai";
import { MockLanguageModelV3 } from "ai/test";
import { describe, expect, it } from "vitest";
import { openToolSkills } from "../../../../test/support/tool-skills.ts";
import { isSkillContent } from "../index.ts";
import { toAiSdkTools } from "./ai-sdk.ts";

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

type Content = { type: "text"; text: string } | { type: "tool-call"; input: string };

/** Answers with these, one for each request. */
function scriptedModel(toolName: string, ...contents: Content[]) {
  return new MockLanguageModelV3({
    doGenerate: contents.map((content, i) => ({
      content: [
        content.type === "text" ? content : { ...content, toolCallId: `call-${i}`, toolName },
      ],
      finishReason: { unified: content.type === "text" ? "stop" : "tool-calls", raw: undefined },
      usage: USAGE,
      warnings: [],
    })),
  });
}

async function ask(input: string) {
  const { skills } = await openToolSkills();
  const view = skills.conversation();
  const tools = view.tools();
  const model = scriptedModel(
    "load_skill",
    { type: "tool-call", input },
    { type: "text", text: "Done." },
  );
  const toolSet: ToolSet = toAiSdkTools(tools, jsonSchema);
  const result = await generateText({
    model,
    tools: toolSet,
    system: view.instructions({ tools }),
    prompt: "Process a PDF.",
    stopWhen: stepCountIs(5),
  });
  return { model, result };
}

describe("H-02 Vercel AI SDK", () => {
  it("H-02 D-04 the next request of a generateText loop has the skill's instructions", async () => {
    const { model, result } = await ask('{"skill_name":"pdf-processing"}');
    expect(result.text).toBe("Done.");
    const [first, second] = model.doGenerateCalls;
    expect(JSON.stringify(first?.prompt)).toContain("<available_skills>");
    expect(JSON.stringify(first?.prompt)).not.toContain("Step 1: open the file.");
    expect(first?.tools?.map(({ name }) => name)).toEqual([
      "load_skill",
      "read_skill_file",
      "list_skill_files",
    ]);
    expect(second?.prompt.at(-1)).toMatchObject({
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolName: "load_skill",
          output: {
            type: "text",
            value: expect.stringContaining("Step 1: open the file.") as string,
          },
        },
      ],
    });
    // What the SDK keeps for the next turn has them, too.
    expect(JSON.stringify(result.response.messages)).toContain("Step 1: open the file.");
  });

  it("H-02 D-04 a host that compacts finds the skill in the SDK's own messages", async () => {
    const { model, result } = await ask('{"skill_name":"pdf-processing"}');
    const kept = result.response.messages.filter(isSkillContent);
    expect(kept.map(({ role }) => role)).toEqual(["tool"]);
    expect(model.doGenerateCalls[1]?.prompt.filter(isSkillContent)).toHaveLength(1);
    expect(model.doGenerateCalls[0]?.prompt.filter(isSkillContent)).toEqual([]);
    const { result: failed } = await ask('{"skill_name":"nope"}');
    expect(failed.response.messages.filter(isSkillContent)).toEqual([]);
  });

  it("H-02 T-08 failures that are texts are marked as failures", async () => {
    const { skills } = await openToolSkills();
    const tools = toAiSdkTools(chatOf(skills).tools({ preset: "sop" }), jsonSchema);
    const tool = tools["load_skill"];
    const output = await tool?.execute({ skill_name: "nope" });
    expect(tool?.toModelOutput({ output })).toMatchObject({ type: "error-text" });
    const loaded = await tool?.execute({ skill_name: "dates" });
    expect(tool?.toModelOutput({ output: loaded })).toMatchObject({ type: "text" });
  });

  it("H-02 the model is shown the real schema", async () => {
    const { model } = await ask('{"skill_name":"dates"}');
    expect(model.doGenerateCalls[0]?.tools?.[0]).toMatchObject({
      type: "function",
      name: "load_skill",
      inputSchema: {
        type: "object",
        properties: { skill_name: { type: "string", enum: ["dates", "pdf-processing"] } },
        required: ["skill_name"],
      },
    });
  });

  it.each([
    ['{"skillName":"PDF-Processing"}', "text", "Step 1"],
    ['{"skill_name":"pdf"}', "error-text", "There is: dates, pdf-processing."],
    ["{}", "error-text", 'the parameter "skill_name" is missing'],
  ])("H-02 T-07 %s comes back as %s", async (input, type, value) => {
    const { model } = await ask(input);
    expect(model.doGenerateCalls[1]?.prompt.at(-1)).toMatchObject({
      content: [{ output: { type, value: expect.stringContaining(value) as string } }],
    });
  });

  it("H-02 a cancelled call is told to the tool", async () => {
    const { skills } = await openToolSkills();
    const tools = toAiSdkTools(chatOf(skills).tools(), jsonSchema);
    const abortSignal = AbortSignal.abort();
    expect(
      await tools["load_skill"]?.execute({ skill_name: "dates" }, { abortSignal }),
    ).toMatchObject({ code: "aborted" });
  });
});
