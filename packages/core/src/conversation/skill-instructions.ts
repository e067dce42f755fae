import type { CatalogOptions } from "../catalog/catalog-entry.ts";
import { originOf, type SkillTool } from "../tools/skill-tool.ts";
import type { Disclosure } from "./disclosure.ts";

/** What a model is told of a tool, by the tool's name in its preset; the first that is offered counts. */
const GUIDANCE: readonly (readonly [origins: readonly string[], text: (name: string) => string])[] =
  [
    [
      ["load_skill", "read_skill"],
      (name) =>
        `When a task matches the description of a skill, call \`${name}\` with its name before you start, and follow what it says.`,
    ],
    [
      ["search_skills"],
      (name) => `When no listed skill fits, or a description is cut, look with \`${name}\`.`,
    ],
    [
      ["read_skill_file", "load_skill_asset"],
      (name) => `Read the files that a skill refers to with \`${name}\`, one by one, when needed.`,
    ],
    [
      ["list_skill_files", "list_skill_directory", "list_skill_assets"],
      (name) => `\`${name}\` tells which files a skill has.`,
    ],
    [
      ["run_skill_script"],
      (name) => `Run the scripts of a skill with \`${name}\` instead of writing your own.`,
    ],
    [
      ["get_skill_script_path"],
      (name) => `\`${name}\` gives the path of a skill's script for a command that runs it.`,
    ],
  ];

const INTRODUCTION =
  "Skills are instructions for particular tasks, written by people who know them.";

/**
 * What a model is told about its skills: how to use them with exactly these tools, and the catalog.
 * Empty when there is nothing to tell, but for Markdown, which says that there are none.
 */
export function skillInstructions(
  view: Disclosure,
  tools: readonly SkillTool[],
  options: CatalogOptions = {},
): string {
  const names = namesByOrigin(tools);
  const searchTool = names.get("search_skills");
  const catalog = view.catalog({ ...(searchTool !== undefined && { searchTool }), ...options });
  const { shown, shortened, nameOnly, omitted } = catalog;
  const isEmpty = shown.length + shortened.length + nameOnly.length + omitted.length === 0;
  const guidance = isEmpty ? [] : guidanceFor(names);
  if (options.format === "markdown") return markdown(catalog.text, guidance);
  return isEmpty ? "" : [[INTRODUCTION, ...guidance].join("\n"), catalog.text].join("\n\n");
}

function markdown(list: string, guidance: readonly string[]): string {
  const how =
    guidance.length === 0
      ? []
      : ["", "**How to use them:**", "", ...guidance.map((line, i) => `${i + 1}. ${line}`)];
  return ["## Skills System", "", INTRODUCTION, "", "**Available Skills:**", list, ...how].join(
    "\n",
  );
}

function guidanceFor(names: ReadonlyMap<string, string>): string[] {
  return GUIDANCE.flatMap(([origins, text]) => {
    const origin = origins.find((one) => names.has(one));
    return origin === undefined ? [] : [text(names.get(origin) ?? origin)];
  });
}

function namesByOrigin(tools: readonly SkillTool[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const tool of tools) {
    const origin = originOf(tool);
    if (origin !== undefined) names.set(origin, tool.name);
  }
  return names;
}
