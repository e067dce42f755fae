import {
  DEFAULT_MAX_BYTES,
  type PresetParts,
  presetTool,
  SCRIPT_PARAMETERS,
  SEARCH_PARAMETERS,
} from "../preset-tool.ts";
import { fileText, fitList, listText, plainText, resultLines } from "../result-text.ts";
import { loadSkill, readText } from "../read-text.ts";
import { hasRunnableScript, runScript } from "../run-script.ts";
import { promptText } from "../../internal/text.ts";
import type { SkillTool } from "../skill-tool.ts";

/** The smallest set that can work now: `{ ok: true, … }` on success, failures as values. */
export function standardTools(parts: PresetParts): SkillTool[] {
  if (parts.view.skills.length === 0) return [];
  return [
    loadSkillTool(parts),
    readSkillFile(parts),
    listSkillFiles(parts),
    ...searchSkills(parts),
    ...runSkillScript(parts),
  ];
}

function loadSkillTool(parts: PresetParts): SkillTool {
  const { view, skillName } = parts;
  return presetTool(
    {
      name: "load_skill",
      description:
        "Loads the instructions of a skill. Call it before you work on what the skill is for.",
      parameters: { skill_name: skillName },
      async run({ skill_name }, context) {
        const activation = await loadSkill(view, skill_name, parts, context);
        if (!activation.ok) return activation;
        const { ok, name, source, digest, alreadyActive, changed, text } = activation;
        return { ok, name, source, digest, alreadyActive, changed, text };
      },
      toText: textOf,
    },
    parts,
  );
}

function readSkillFile(parts: PresetParts): SkillTool {
  const { view, maxBytes, skillName } = parts;
  const line = { type: "integer", minimum: 1, optional: true } as const;
  return presetTool(
    {
      name: "read_skill_file",
      description:
        "Reads a text file of a skill, or a part of it. Read what its instructions refer to, when you need it.",
      parameters: {
        skill_name: skillName,
        file_path: {
          type: "string",
          description: 'Path inside the skill, such as "references/guide.md" or "SKILL.md".',
        },
        startLine: { ...line, description: "First line, counted from 1." },
        endLine: { ...line, description: "Last line." },
        startByte: {
          type: "integer",
          minimum: 0,
          description: "Where to go on in a line that was cut.",
          optional: true,
        },
        section: {
          type: "string",
          description: "Heading of the only section to read; instead of lines.",
          optional: true,
        },
      },
      async run({ skill_name, file_path, startLine, endLine, startByte, section }) {
        const read = await readText(view, skill_name, file_path, {
          ...(startLine === undefined ? undefined : { startLine }),
          ...(endLine === undefined ? undefined : { endLine }),
          ...(startByte === undefined ? undefined : { startByte }),
          ...(section === undefined || section === "" ? undefined : { section }),
          maxBytes,
          askForLines: (from, to) => `startLine ${from} and endLine ${to}`,
          askForByte: (of, from) => `startLine ${of} and startByte ${from}`,
        });
        if (!read.ok) return read;
        const { ok, path, text, startLine: from, endLine: to, endOfFile, truncated } = read;
        const { totalLines, nextByte, resolvedFrom } = read;
        const range = { startLine: from, endLine: to, totalLines, endOfFile, truncated, nextByte };
        return { ok, path, ...(resolvedFrom && { resolvedFrom }), ...range, text };
      },
      toText: fileText,
    },
    parts,
  );
}

function listSkillFiles(parts: PresetParts): SkillTool {
  const { view, maxBytes = DEFAULT_MAX_BYTES, skillName } = parts;
  return presetTool(
    {
      name: "list_skill_files",
      description: "Lists the files of a skill with their sizes.",
      parameters: {
        skill_name: skillName,
        directory: {
          type: "string",
          description: "Only files below this folder of the skill.",
          optional: true,
        },
      },
      async run({ skill_name, directory = "" }) {
        const under = directory === "" ? "." : directory;
        const listed = await view.listFiles(skill_name, { under });
        if (!listed.ok) return listed;
        const files = listed.files.map(({ path, size }) =>
          size === undefined ? { path } : { path, size },
        );
        const { fitting, left } = fitList(files, maxBytes, (file) => JSON.stringify(file));
        return { ok: true, files: fitting, truncated: listed.truncated || left > 0 };
      },
      toText: listText,
    },
    parts,
  );
}

/** Offered when the catalog does not say everything. */
function searchSkills(parts: PresetParts): SkillTool[] {
  const { view, catalog } = parts;
  if (catalog.budgetTokens === undefined) return [];
  const { shortened, nameOnly, omitted } = view.catalog(catalog);
  if (shortened.length + nameOnly.length + omitted.length === 0) return [];
  const tool = presetTool(
    {
      name: "search_skills",
      description: "Finds skills for a task, best first.",
      parameters: SEARCH_PARAMETERS,
      async run({ query, n = 5 }) {
        const hits = await view.search(query, { limit: n });
        const results = hits.map(({ name, description, source }) => {
          return { name, description: promptText(description), source };
        });
        return { ok: true, results };
      },
      toText: (result) => {
        const { results } = (result ?? {}) as { results?: unknown };
        return Array.isArray(results) ? resultLines(results) : plainText(result);
      },
    },
    parts,
  );
  return [tool];
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
      run: (call, context) => runScript(view, executor, call, context),
      toText: textOf,
    },
    parts,
  );
  return [tool];
}

function textOf(result: unknown): string {
  const { text } = (result ?? {}) as { text?: unknown };
  return typeof text === "string" ? text : plainText(result);
}
