import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { openToolSkills } from "../../../../test/support/tool-skills.ts";
import { runAnthropicToolUse, toAnthropicTools } from "./anthropic.ts";

async function tools(preset: "standard" | "autobot" = "standard") {
  return (await openToolSkills()).skills.conversation().tools({ preset });
}

describe("H-02 Anthropic", () => {
  it("H-02 gives the tools of Messages", async () => {
    const given: Anthropic.Tool[] = toAnthropicTools(await tools());
    expect(given.map(({ name }) => name)).toEqual([
      "load_skill",
      "read_skill_file",
      "list_skill_files",
    ]);
    expect(given[0]?.input_schema).toMatchObject({ type: "object", required: ["skill_name"] });
  });

  it("H-02 D-04 runs a tool use; the result has the skill's instructions", async () => {
    const use = { id: "use-1", name: "load_skill", input: { skill_name: "pdf-processing" } };
    const block: Anthropic.ToolResultBlockParam = await runAnthropicToolUse(await tools(), use);
    expect(block).toEqual({
      type: "tool_result",
      tool_use_id: "use-1",
      content: expect.stringContaining("Step 1: open the file.") as string,
    });
  });

  it("H-02 T-08 a failure is marked as one", async () => {
    const use = { id: "use-1", name: "load_skill", input: { skill_name: "nope" } };
    expect(await runAnthropicToolUse(await tools(), use)).toMatchObject({ is_error: true });
    const read = { ...use, name: "read_skill" };
    expect(await runAnthropicToolUse(await tools("autobot"), read)).toMatchObject({
      is_error: true,
      content: expect.stringContaining('"success":false') as string,
    });
    const unknown = { ...use, name: "other" };
    expect(await runAnthropicToolUse(await tools(), unknown)).toMatchObject({ is_error: true });
  });
});
