import { type PresetParts, presetTool, SCRIPT_PARAMETERS } from "../preset-tool.ts";
import { loadSkill, readSkillLines, splitLines } from "../read-text.ts";
import { hasRunnableScript, runScript } from "../run-script.ts";
import type { SkillTool } from "../skill-tool.ts";

/** Text on success, failures as values. */
export function scriptsTools(parts: PresetParts): SkillTool[] {
  return [loadSkillTool(parts), ...runSkillScript(parts)];
}

function loadSkillTool(parts: PresetParts): SkillTool {
  const { view, maxBytes, skillName } = parts;
  return presetTool(
    {
      name: "load_skill",
      description:
        'Loads the instructions of a skill. Call it before you work on what the skill is for. Of a long skill, "name#L501-800" gives further lines.',
      parameters: { skill_name: skillName },
      async run({ skill_name }, context) {
        if (splitLines(skill_name).startLine !== undefined) {
          return readSkillLines(skill_name, { view, maxBytes, parameter: "skill_name" });
        }
        const activation = await loadSkill(view, skill_name, parts, context);
        return activation.ok ? activation.text : activation;
      },
    },
    parts,
  );
}

function runSkillScript(parts: PresetParts): SkillTool[] {
  const { view, executor, scriptSkill } = parts;
  if (executor === undefined || !hasRunnableScript(view, executor)) return [];
  const tool = presetTool(
    {
      name: "run_skill_script",
      description: "Runs a script of a skill and gives what it prints.",
      parameters: { skill_name: scriptSkill, ...SCRIPT_PARAMETERS },
      mayAsk: executor.mayAsk,
      async run(call, context) {
        const ran = await runScript(view, executor, call, context);
        return ran.ok ? ran.text : ran;
      },
    },
    parts,
  );
  return [tool];
}
