import { isAbsolute, join, resolve } from "node:path";
import type { Failure } from "../../failure.ts";
import { parseSkillPath } from "../../files/skill-path.ts";
import { promptText } from "../../internal/text.ts";
import {
  DEFAULT_MAX_BYTES,
  type PresetParts,
  presetTool,
  SEARCH_PARAMETERS,
} from "../preset-tool.ts";
import { readFileLines, readSkillLines } from "../read-text.ts";
import { failureText, fitList, plainText, resultLines } from "../result-text.ts";
import { findScript, outputOf } from "../run-script.ts";
import type { SkillTool } from "../skill-tool.ts";

const ASSET_FOLDERS = ["references", "reference", "assets", "scripts"];

/** Whether a plain path is one of what the preset `sop` calls assets. */
function isAsset(path: string): boolean {
  return ASSET_FOLDERS.some((folder) => path.startsWith(`${folder}/`));
}

function noAsset(path: string): Failure<"path-not-allowed"> {
  return {
    ok: false,
    code: "path-not-allowed",
    message: `${JSON.stringify(path)} is not under references/, assets/ or scripts/`,
    hint: "Only files in these folders can be loaded.",
  };
}

const MORE = "(and more, which are not listed)";

/** Failures are texts here. */
export function sopTools(parts: PresetParts): SkillTool[] {
  const withText = { ...parts, failure: failureText };
  return [
    searchSkills(withText),
    loadSkill(withText),
    loadSkillAsset(withText),
    getSkillScriptPath(withText),
    listSkillAssets(withText),
    ...runShellCommand(withText),
  ];
}

type SopParts = PresetParts & { readonly failure: (failure: Failure) => string };

function searchSkills(parts: SopParts): SkillTool {
  return presetTool(
    {
      name: "search_skills",
      description: "Finds the skills that fit a task, best first.",
      parameters: SEARCH_PARAMETERS,
      async run({ query, n = 5 }) {
        const hits = await parts.view.search(query, { limit: n });
        return hits.map(({ name, description }) => ({
          name,
          description: promptText(description),
        }));
      },
      toText: (result) => (Array.isArray(result) ? resultLines(result) : plainText(result)),
    },
    parts,
  );
}

function loadSkill(parts: SopParts): SkillTool {
  const { view, maxBytes, skillName } = parts;
  return presetTool(
    {
      name: "load_skill",
      description: "Loads the whole SKILL.md of a skill: the procedure to follow.",
      parameters: { skill_name: skillName },
      run: ({ skill_name }) =>
        readSkillLines(skill_name, { view, maxBytes, parameter: "skill_name" }),
    },
    parts,
  );
}

function loadSkillAsset(parts: SopParts): SkillTool {
  const { view, maxBytes, skillName } = parts;
  return presetTool(
    {
      name: "load_skill_asset",
      description: "Loads a text file of a skill: a specification, a template or a script.",
      parameters: {
        skill_name: skillName,
        relative_path: {
          type: "string",
          description:
            'Path under references/, assets/ or scripts/; with "#L200-400" behind it only these lines.',
        },
      },
      async run({ skill_name, relative_path }) {
        const found = view.find(skill_name);
        if (!found.ok) return found;
        const parsed = parseSkillPath(relative_path);
        if (!parsed.ok) return parsed;
        const read = await readFileLines(skill_name, parsed.path, {
          view,
          maxBytes,
          parameter: "relative_path",
          allows: isAsset,
        });
        const isRefused = typeof read !== "string" && !isAsset(parsed.path);
        return isRefused ? noAsset(parsed.path) : read;
      },
    },
    parts,
  );
}

function getSkillScriptPath(parts: SopParts): SkillTool {
  const { view, skillName } = parts;
  return presetTool(
    {
      name: "get_skill_script_path",
      description: "Gives the absolute path of a script of a skill, for a command that runs it.",
      parameters: {
        skill_name: skillName,
        script_name: { type: "string", description: 'File under scripts/, such as "compare.py".' },
      },
      async run({ skill_name, script_name }) {
        const found = await findScript(view, skill_name, script_name);
        if (!found.ok) return found;
        const { skill, script } = found;
        if (!isAbsolute(skill.path)) return noFolder(skill.name);
        return resolve(join(skill.path, script));
      },
    },
    parts,
  );
}

function listSkillAssets(parts: SopParts): SkillTool {
  const { view, maxBytes = DEFAULT_MAX_BYTES, skillName } = parts;
  return presetTool(
    {
      name: "list_skill_assets",
      description: "Lists the files under references/, assets/ and scripts/ of a skill.",
      parameters: { skill_name: skillName },
      async run({ skill_name }) {
        const listed = await view.listFiles(skill_name);
        if (!listed.ok) return listed;
        const paths = listed.files.map(({ path }) => path).filter(isAsset);
        const { fitting, left } = fitList(paths, maxBytes - MORE.length, (path) => path);
        // The result is a list of paths, so that what it lacks can only be said in it.
        return left > 0 || listed.truncated ? [...fitting, MORE] : fitting;
      },
      toText: (result) => (Array.isArray(result) ? result.join("\n") : plainText(result)),
    },
    parts,
  );
}

function runShellCommand(parts: SopParts): SkillTool[] {
  const { executor } = parts;
  const runCommand = executor?.runCommand?.bind(executor);
  if (runCommand === undefined) return [];
  const tool = presetTool(
    {
      name: "run_shell_command",
      description: "Runs a command and gives what it prints.",
      parameters: {
        command: { type: "string", description: "The command line.", private: true },
      },
      mayAsk: executor?.mayAsk,
      async run({ command }, context) {
        return outputOf(await runCommand(command, context));
      },
    },
    parts,
  );
  return [tool];
}

function noFolder(skill: string): Failure<"script-without-path"> {
  const message = `the skill ${skill} is defined in code; its scripts have no path`;
  return { ok: false, code: "script-without-path", message };
}
