import { describe, expect, it } from "vitest";
import { callNamed } from "../../../../test/support/call-named.ts";
import { echoExecutor, openToolSkills } from "../../../../test/support/tool-skills.ts";
import type { ToolPreset } from "../internal/index.ts";
import { createTools } from "./index.ts";

const PRESETS: readonly ToolPreset[] = ["standard", "lookup", "scripts", "sop", "autobot"];
const OPTIONS = { executor: echoExecutor, catalogBudgetTokens: 20 };

/** Names that a model might try, the last one only near to it. */
const NAMES = [
  "hidden-skill",
  "HIDDEN-SKILL",
  "hidden-skill@project",
  "project:hidden-skill",
  "./hidden-skill",
  "hidden-skill#L1-9",
  "hidden-skil",
];

const OTHER_PARAMETERS = {
  file_path: "references/secret.md",
  relative_path: "references/secret.md",
  script_file: "deploy.py",
  script_name: "deploy.py",
  query: "deploys hidden skill",
  n: 50,
  command: "true",
};

const LEAKS = /Top secret|deploy\.py \(|SKILL\.md \(|ran hidden|Deploys\./;

describe.each(PRESETS)("D-02 preset %s", (preset) => {
  it("D-02 reaches no skill that is kept from models, by none of its tools", async () => {
    const { skills } = await openToolSkills();
    const tools = createTools(skills.conversation(), { preset, ...OPTIONS, nameEnum: true });
    expect(tools.length).toBeGreaterThan(0);
    for (const tool of tools) {
      expect(JSON.stringify(tool.inputSchema)).not.toContain("hidden-skill");
      for (const skill_name of NAMES) {
        const result = await tool.execute({ ...OTHER_PARAMETERS, skill_name });
        const said = `${JSON.stringify(result)}\n${tool.toText(result)}`;
        expect(said, tool.name).not.toMatch(LEAKS);
        // What was asked for may be repeated; nothing else may name it.
        const asked = skill_name.replace("#L1-9", "");
        const echo = said.replaceAll(asked, "");
        expect(echo.toLowerCase(), tool.name).not.toContain("hidden-skill");
      }
    }
  });

  it("D-02 names no hidden skill when a broken one has nearly its name", async () => {
    const { skills } = await openToolSkills(
      {},
      {
        "hidden-skill/SKILL.md":
          "---\nname: hidden-skill\ndescription: D. Use it.\ndisable-model-invocation: true\n---\nB.\n",
        "hidden-skil/SKILL.md": "---\nname: [\n---\nB.\n",
        "dates/SKILL.md": "---\nname: dates\ndescription: D. Use it.\n---\nB.\n",
      },
    );
    for (const tool of createTools(skills.conversation(), { preset, ...OPTIONS })) {
      const result = await tool.execute({ ...OTHER_PARAMETERS, skill_name: "hidden-skil" });
      expect(JSON.stringify(result)).not.toContain("hidden-skill");
    }
  });

  it("D-02 reaches it once a person has called it", async () => {
    const { skills } = await openToolSkills();
    const view = skills.conversation();
    await view.activate("hidden-skill", { by: "person" });
    const tools = createTools(view, { preset, ...OPTIONS });
    const load = tools.find(({ name }) => name === "load_skill" || name === "read_skill")!;
    const result = await callNamed(tools)(load.name, { skill_name: "hidden-skill" });
    expect(load.toText(result)).toMatch(/Top secret steps|already active/);
  });

  it("D-02 reaches only the skills that an agent was given", async () => {
    const { skills } = await openToolSkills();
    const view = skills.conversation({ include: ["dates"] });
    const tools = createTools(view, { preset, ...OPTIONS });
    for (const tool of tools) {
      const result = await tool.execute({
        ...OTHER_PARAMETERS,
        skill_name: "pdf-processing",
        query: "merge pdf files",
      });
      expect(JSON.stringify(result)).not.toMatch(/Step 1|merges PDF|ran pdf/);
    }
  });
});
