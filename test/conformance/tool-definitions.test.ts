import type { SkillTool } from "@skillwright/core";
import type { ToolPreset } from "@skillwright/core/internal";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { echoExecutor, openToolSkills } from "../support/tool-skills.ts";

/** Names, parameters and which of them are required, as the requirements have them. */
const TABLE: Readonly<Record<ToolPreset, readonly string[]>> = {
  lookup: [
    "read_skill(skill_name)",
    "read_skill_file(skill_name, file_path)",
    "list_skill_directory(skill_name, directory?)",
  ],
  scripts: ["load_skill(skill_name)", "run_skill_script(skill_name, script_file, args?)"],
  sop: [
    "search_skills(query, n?)",
    "load_skill(skill_name)",
    "load_skill_asset(skill_name, relative_path)",
    "get_skill_script_path(skill_name, script_name)",
    "list_skill_assets(skill_name)",
    "run_shell_command(command)",
  ],
  autobot: ["read_skill(skill_name)"],
  standard: [
    "load_skill(skill_name)",
    "read_skill_file(skill_name, file_path, startLine?, endLine?, startByte?, section?)",
    "list_skill_files(skill_name, directory?)",
    "search_skills(query, n?)",
    "run_skill_script(skill_name, script_file, args?)",
  ],
};

async function toolsOf(preset: ToolPreset): Promise<SkillTool[]> {
  const { skills } = await openToolSkills();
  return skills.conversation({ scripts: echoExecutor }).tools({ preset, catalogBudgetTokens: 20 });
}

function signature({ name, inputSchema }: SkillTool): string {
  const required = new Set(inputSchema.required);
  const parameters = Object.keys(inputSchema.properties);
  return `${name}(${parameters.map((one) => (required.has(one) ? one : `${one}?`)).join(", ")})`;
}

describe.each(Object.keys(TABLE) as ToolPreset[])("T-01 preset %s", (preset) => {
  it("T-01 has exactly the tools and parameters of the requirements", async () => {
    expect((await toolsOf(preset)).map(signature)).toEqual(TABLE[preset]);
  });

  it("T-01 has definitions as in the golden file", async () => {
    const definitions = (await toolsOf(preset)).map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    const text = `${JSON.stringify(definitions, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`golden/tool-definitions-${preset}.json`);
  });

  it("T-01 has schemas that are JSON Schema 2020-12, and names that every provider takes", async () => {
    const ajv = new Ajv2020({ strict: true });
    for (const { name, inputSchema } of await toolsOf(preset)) {
      expect(ajv.validateSchema(inputSchema)).toBe(true);
      expect(() => ajv.compile(inputSchema)).not.toThrow();
      expect(name).toMatch(/^[a-z][a-z0-9_]{0,63}$/);
    }
  });
});
