import { describe, expect, it } from "vitest";
import { callNamed } from "../../../../../test/support/call-named.ts";
import { openToolSkills, PDF_BODY } from "../../../../../test/support/tool-skills.ts";
import type { SkillTool } from "../../index.ts";
import { createTools, type CreateToolsOptions } from "../index.ts";

const READ_FILE: SkillTool = {
  name: "read_file",
  description: "Reads a file of the workspace.",
  inputSchema: { type: "object", properties: {} },
  execute: async () => "text",
  toText: String,
};

async function autobot(options: CreateToolsOptions = {}) {
  const { skills } = await openToolSkills();
  const tools = createTools(skills.conversation(), { preset: "autobot", ...options });
  return { tools, call: callNamed(tools) };
}

describe("T-05 preset autobot", () => {
  it("T-05 read_skill answers with exactly name, description and content", async () => {
    const { tools, call } = await autobot();
    const result = await call("read_skill", { skill_name: "Pdf-Processing" });
    expect(Object.keys(result as object)).toEqual(["success", "name", "description", "content"]);
    expect(result).toMatchObject({
      success: true,
      name: "pdf-processing",
      description: "Reads and merges PDF files. Use for forms.",
      content: expect.stringContaining(PDF_BODY) as string,
    });
    expect(JSON.parse(tools[0]!.toText(result))).toEqual(result);
  });

  it.each([
    [{ skill_name: "nope" }, 'there is no skill named "nope"'],
    [{ skill_name: "broken" }, "cannot be used"],
    [{}, 'the parameter "skill_name" is missing'],
  ])("T-05 read_skill answers %j with its error", async (input, error) => {
    const { call } = await autobot();
    expect(await call("read_skill", input)).toEqual({
      success: false,
      error: expect.stringContaining(error) as string,
    });
  });

  it("T-05 the tools of the workspace come from a provider", async () => {
    const providers = [{ tools: () => [READ_FILE] }];
    const { tools } = await autobot({ providers });
    expect(tools.map(({ name }) => name)).toEqual(["read_skill", "read_file"]);
  });

  it("T-05 read_skill has its switch", async () => {
    expect((await autobot({ switches: { enableReadSkill: false } })).tools).toEqual([]);
  });
});
