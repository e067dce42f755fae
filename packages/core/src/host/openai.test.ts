import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { openToolSkills } from "../../../../test/support/tool-skills.ts";
import {
  runOpenAiChatCall,
  runOpenAiResponsesCall,
  toOpenAiChatTools,
  toOpenAiResponsesTools,
} from "./openai.ts";

async function tools() {
  return (await openToolSkills()).skills.conversation().tools();
}

describe("H-02 OpenAI", () => {
  it("H-02 gives the tools of Chat Completions", async () => {
    const given: OpenAI.ChatCompletionTool[] = toOpenAiChatTools(await tools());
    expect(given).toHaveLength(3);
    expect(given[0]).toEqual({
      type: "function",
      function: {
        name: "load_skill",
        description: expect.any(String) as string,
        parameters: expect.objectContaining({ type: "object", required: ["skill_name"] }) as object,
      },
    });
  });

  it("H-02 gives the tools of Responses", async () => {
    const given: OpenAI.Responses.Tool[] = toOpenAiResponsesTools(await tools());
    expect(given[0]).toMatchObject({ type: "function", name: "load_skill", strict: false });
  });

  it("H-02 D-04 runs a chat call; the result has the skill's instructions", async () => {
    const call: OpenAI.ChatCompletionMessageFunctionToolCall = {
      type: "function",
      id: "call-1",
      function: { name: "load_skill", arguments: '{"skill_name":"pdf-processing"}' },
    };
    const message: OpenAI.ChatCompletionMessageParam = await runOpenAiChatCall(await tools(), call);
    expect(message).toEqual({
      role: "tool",
      tool_call_id: "call-1",
      content: expect.stringContaining("Step 1: open the file.") as string,
    });
  });

  it("H-02 D-04 runs a call of Responses", async () => {
    const call: OpenAI.Responses.ResponseFunctionToolCall = {
      type: "function_call",
      call_id: "call-1",
      name: "load_skill",
      arguments: '{"skill_name":"pdf-processing"}',
    };
    const item: OpenAI.Responses.ResponseInputItem = await runOpenAiResponsesCall(
      await tools(),
      call,
    );
    expect(item).toEqual({
      type: "function_call_output",
      call_id: "call-1",
      output: expect.stringContaining("Step 1: open the file.") as string,
    });
  });

  it.each([
    ["load_skill", "{", "Error: the parameters are not valid JSON"],
    ["load_skil", "{}", 'Error: there is no tool named "load_skil". Did you mean: load_skill?'],
    ["__proto__", "{}", "There is: load_skill, read_skill_file, list_skill_files."],
  ])("H-02 T-07 answers a call of %s with %s", async (name, input, text) => {
    const call = { id: "1", function: { name, arguments: input } };
    expect((await runOpenAiChatCall(await tools(), call)).content).toContain(text);
  });
});
