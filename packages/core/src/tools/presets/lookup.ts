import { promptText } from "../../internal/text.ts";
import { DEFAULT_MAX_BYTES, type PresetParts, presetTool } from "../preset-tool.ts";
import { readFileLines, readSkillLines, splitLines } from "../read-text.ts";
import { directoryLines, failureText, fitList } from "../result-text.ts";
import type { SkillTool } from "../skill-tool.ts";

/** Text on success, failures as values. */
export function lookupTools(parts: PresetParts): SkillTool[] {
  return [readSkill(parts), readSkillFile(parts), listSkillDirectory(parts)];
}

function readSkill(parts: PresetParts): SkillTool {
  const { view, maxBytes, skillName } = parts;
  return presetTool(
    {
      name: "read_skill",
      description: "Reads the SKILL.md of a skill: what it is for and the instructions to follow.",
      parameters: { skill_name: skillName },
      run: ({ skill_name }) =>
        readSkillLines(skill_name, { view, maxBytes, parameter: "skill_name" }),
    },
    parts,
  );
}

function readSkillFile(parts: PresetParts): SkillTool {
  const { view, maxBytes, skillName } = parts;
  return presetTool(
    {
      name: "read_skill_file",
      description:
        "Reads a text file of a skill, such as a reference that its instructions mention.",
      parameters: {
        skill_name: skillName,
        file_path: {
          type: "string",
          description:
            'Path inside the skill, such as "references/guide.md"; with "#L200-400" behind it only these lines.',
        },
      },
      run: ({ skill_name, file_path }) =>
        readFileLines(skill_name, file_path, { view, maxBytes, parameter: "file_path" }),
    },
    parts,
  );
}

function listSkillDirectory(parts: PresetParts): SkillTool {
  const { view, maxBytes = DEFAULT_MAX_BYTES, skillName } = parts;
  return presetTool(
    {
      name: "list_skill_directory",
      description: "Lists the files and folders of a skill with their sizes.",
      parameters: {
        skill_name: skillName,
        directory: {
          type: "string",
          description: "Folder inside the skill. Default: the skill itself.",
          optional: true,
        },
      },
      async run({ skill_name, directory = "" }) {
        const under = directory === "" ? "." : directory;
        const listed = await view.listFiles(skill_name, { under });
        if (!listed.ok) return listed;
        const lines = directoryLines(listed.files, plainFolder(under));
        const { fitting, left } = fitList(lines, maxBytes, (line) => line);
        const isCut = left > 0 || listed.truncated;
        if (fitting.length === 0 && !isCut) return "The folder is empty.";
        return [...fitting, ...(isCut ? ["and more; list a folder of it"] : [])].join("\n");
      },
    },
    parts,
  );
}

/** `./references/` and `references` are the same folder. */
function plainFolder(directory: string): string {
  const segments = directory.split("/").filter((segment) => segment !== "." && segment !== "");
  return segments.join("/");
}

/** One tool that answers `{ success, … }`; those of the workspace come from a provider. */
export function autobotTools(parts: PresetParts): SkillTool[] {
  const { view, maxBytes, skillName } = parts;
  const readSkill = presetTool(
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
