import { chatOf } from "../../../../test/support/chat-of.ts";
import { describe, expect, it } from "vitest";
import { echoExecutor, openToolSkills } from "../../../../test/support/tool-skills.ts";
import type { CatalogOptions } from "../internal/index.ts";
import { createTools, type CreateToolsOptions } from "../tools/index.ts";

async function instructions(
  tools: CreateToolsOptions = {},
  catalog: CatalogOptions = {},
  files?: object,
) {
  const { skills } = await openToolSkills({}, files as Record<string, string> | undefined);
  const view = skills.conversation();
  return view.instructions({ ...catalog, tools: createTools(view, tools) });
}

/** The tools that a text names. */
function named(text: string): string[] {
  return Array.from(text.matchAll(/`(\w+)`/g), ([, name = ""]) => name).toSorted();
}

const NONE = { "x.txt": "" };

describe("D-01 instructions", () => {
  it("D-01 REQ-003 has the catalog, and names exactly the tools that are offered", async () => {
    const text = await instructions();
    expect(text).toContain("<available_skills>");
    expect(text).toContain('<skill name="pdf-processing" source="project">Reads and merges PDF');
    expect(text).not.toContain("hidden-skill");
    expect(named(text)).toEqual(["list_skill_files", "load_skill", "read_skill_file"]);
  });

  it.each([
    ["lookup", ["list_skill_directory", "read_skill", "read_skill_file"]],
    ["scripts", ["load_skill", "run_skill_script"]],
    [
      "sop",
      [
        "get_skill_script_path",
        "list_skill_assets",
        "load_skill",
        "load_skill_asset",
        "search_skills",
      ],
    ],
    ["autobot", ["read_skill"]],
  ] as const)("D-01 for the preset %s names its tools", async (preset, names) => {
    expect(named(await instructions({ preset, executor: echoExecutor }))).toEqual(names);
  });

  it("D-01 uses the names under which tools are offered, and none that is switched off", async () => {
    const text = await instructions({
      rename: { load_skill: "skill" },
      enabled: { read_skill_file: false },
    });
    expect(named(text)).toEqual(["list_skill_files", "skill"]);
  });

  it("D-01 within a budget names the tool that finds the rest", async () => {
    const text = await instructions({ catalogBudgetTokens: 20 }, { budgetTokens: 20 });
    expect(named(text)).toContain("search_skills");
  });

  it("D-01 T-06 within a budget offers and names the tools that go with it", async () => {
    const { skills } = await openToolSkills();
    const text = chatOf(skills).instructions({ budgetTokens: 30 });
    expect(named(text)).toContain("search_skills");
    expect(named(chatOf(skills).instructions({ budgetTokens: 2000 }))).not.toContain(
      "search_skills",
    );
  });

  it("D-01 is empty when there is nothing", async () => {
    expect(await instructions({}, {}, NONE)).toBe("");
    expect(await instructions({}, { format: "json" }, NONE)).toBe("");
  });

  it("D-01 in Markdown is the template of 004, without folders or sources", async () => {
    const text = await instructions({ preset: "autobot" }, { format: "markdown" });
    expect(text).toBe(
      [
        "## Skills System",
        "",
        "Skills are instructions for particular tasks, written by people who know them.",
        "",
        "**Available Skills:**",
        "- **dates**: Formats dates. Use when asked.",
        "- **pdf-processing**: Reads and merges PDF files. Use for forms.",
        "",
        "**How to use them:**",
        "",
        "1. When a task matches the description of a skill, call `read_skill` with its name before you start, and follow what it says.",
      ].join("\n"),
    );
  });

  it("D-01 in Markdown says that there are no skills", async () => {
    const text = await instructions({ preset: "autobot" }, { format: "markdown" }, NONE);
    expect(text).toContain("*No skills available.*");
    expect(named(text)).toEqual([]);
  });
});
