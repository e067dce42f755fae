import { defineTool } from "../define-tool.ts";
import { failureText } from "../result-text.ts";
import type { PresetParts } from "../preset-parts.ts";
import { readSkillLines, splitLines } from "../read-text.ts";
import { promptText } from "../../internal/frame.ts";
import type { SkillTool } from "../skill-tool.ts";

/** One tool that answers `{ success, … }`; those of the workspace come from a provider. */
export function autobotTools(parts: PresetParts): SkillTool[] {
  const { view, maxBytes, skillName } = parts;
  const readSkill = defineTool(
    {
      name: "read_skill",
      description: "Reads a skill: its description and the whole SKILL.md with the instructions.",
      parameters: { skill_name: skillName },
      async run({ skill_name }) {
        const found = view.find(splitLines(skill_name).name);
        if (!found.ok) return found;
        const content = await readSkillLines(skill_name, {
          view,
          maxBytes,
          parameter: "skill_name",
        });
        if (typeof content !== "string") return content;
        const { name, description } = found.skill;
        return { success: true, name, description: promptText(description), content };
      },
    },
    {
      ...parts,
      failure: (failure) => ({
        success: false,
        error: failureText(failure).replace(/^Error: /, ""),
      }),
    },
  );
  return [readSkill];
}
