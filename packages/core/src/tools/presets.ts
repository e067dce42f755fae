import { isAbsolute, resolve } from "node:path";
import type { Failure } from "../failure.ts";
import { parseSkillPath } from "../files/skill-path.ts";
import { promptText } from "../internal/text.ts";
import { defineParameters, type PresetParts, type PresetTool } from "./preset-tool.ts";
import { loadSkill, readFileLines, readSkillLines, readText, splitLines } from "./read-text.ts";
import {
  directoryLines,
  failureText,
  fileText,
  fitList,
  listText,
  plainText,
  resultLines,
} from "./result-text.ts";
import { findScript, hasRunnableScript, outputOf, runScript } from "./run-script.ts";
import type { ToolPreset } from "./skill-tool.ts";

interface Preset {
  /** In the order in which they are offered. */
  readonly tools: readonly PresetTool[];
  /** What a failure looks like. Default: the value itself. */
  readonly failure?: (failure: Failure) => unknown;
  /** Default: always. */
  readonly isOffered?: (parts: PresetParts) => boolean;
  /** Options of a configuration that switch a tool off. */
  readonly switches?: Readonly<Record<string, keyof ToolSwitches>>;
}

/** Switches under the names of the founding documents; the last is of the preset `autobot`. */
export interface ToolSwitches {
  readonly enableReadSkillTool?: boolean;
  readonly enableReadFileTool?: boolean;
  readonly enableListDirectoryTool?: boolean;
  readonly enableReadSkill?: boolean;
}

/** The skill is the same parameter in every tool. */
const SKILL = { type: "string", description: "Name of the skill.", names: "all" } as const;

const SCRIPT = defineParameters({
  skill_name: { ...SKILL, names: "with scripts" },
  script_file: { type: "string", description: 'File under scripts/, such as "analyze.py".' },
  args: {
    type: "strings",
    description: "Arguments for the script, one by one.",
    optional: true,
    private: true,
  },
});

const SEARCH = defineParameters({
  query: { type: "string", description: "The task, in a few words." },
  n: {
    type: "integer",
    description: "How many at most.",
    minimum: 1,
    maximum: 50,
    default: 5,
    optional: true,
  },
});

const LINE = { type: "integer", minimum: 1, optional: true } as const;
const DEFAULT_MAX_BYTES = 51_200;
const MORE_FOLDERS = "and more; list a folder of it";
const MORE_ASSETS = "(and more, which are not listed)";
const ASSET_FOLDERS = ["references", "reference", "assets", "scripts"];

function tool<const P extends Parameters<typeof defineParameters>[0]>(
  definition: PresetTool<P>,
): PresetTool {
  return definition as unknown as PresetTool;
}

const standard: readonly PresetTool[] = [
  tool({
    name: "load_skill",
    description:
      "Loads the instructions of a skill. Call it before you work on what the skill is for.",
    parameters: { skill_name: SKILL },
    async run({ skill_name }, parts, context) {
      const activation = await loadSkill(skill_name, parts, context);
      if (!activation.ok) return activation;
      const { ok, name, source, digest, alreadyActive, changed, text } = activation;
      return { ok, name, source, digest, alreadyActive, changed, text };
    },
    toText: textOf,
  }),
  tool({
    name: "read_skill_file",
    description:
      "Reads a text file of a skill, or a part of it. Read what its instructions refer to, when you need it.",
    parameters: {
      skill_name: SKILL,
      file_path: {
        type: "string",
        description: 'Path inside the skill, such as "references/guide.md" or "SKILL.md".',
      },
      startLine: { ...LINE, description: "First line, counted from 1." },
      endLine: { ...LINE, description: "Last line." },
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
    async run({ skill_name, file_path, section = "", ...lines }, parts) {
      const read = await readText(skill_name, file_path, parts, {
        ...lines,
        ...(section !== "" && { section }),
        askForLines: (from, to) => `startLine ${from} and endLine ${to}`,
        askForByte: (line, byte) => `startLine ${line} and startByte ${byte}`,
      });
      if (!read.ok) return read;
      const { ok, path, text, resolvedFrom, startLine, endLine } = read;
      const { totalLines, endOfFile, truncated, nextByte } = read;
      const range = { startLine, endLine, totalLines, endOfFile, truncated, nextByte };
      return { ok, path, ...(resolvedFrom && { resolvedFrom }), ...range, text };
    },
    toText: fileText,
  }),
  tool({
    name: "list_skill_files",
    description: "Lists the files of a skill with their sizes.",
    parameters: {
      skill_name: SKILL,
      directory: {
        type: "string",
        description: "Only files below this folder of the skill.",
        optional: true,
      },
    },
    async run({ skill_name, directory = "" }, { view, maxBytes = DEFAULT_MAX_BYTES }) {
      const listed = await view.listFiles(skill_name, { under: directory || "." });
      if (!listed.ok) return listed;
      const files = listed.files.map(({ path, size }) =>
        size === undefined ? { path } : { path, size },
      );
      const { fitting, left } = fitList(files, maxBytes, (file) => JSON.stringify(file));
      return { ok: true, files: fitting, truncated: listed.truncated || left > 0 };
    },
    toText: listText,
  }),
  tool({
    name: "search_skills",
    description: "Finds skills for a task, best first.",
    parameters: SEARCH,
    /** Offered when the catalog does not say everything. */
    isOffered({ view, catalog }) {
      if (catalog.budgetTokens === undefined) return false;
      const { shortened, nameOnly, omitted } = view.catalog(catalog);
      return shortened.length + nameOnly.length + omitted.length > 0;
    },
    async run({ query, n = 5 }, { view }) {
      const hits = await view.search(query, { limit: n });
      const results = hits.map(({ name, description, source }) => {
        return { name, description: promptText(description), source };
      });
      return { ok: true, results };
    },
    toText(result) {
      const { results } = (result ?? {}) as { results?: unknown };
      return Array.isArray(results) ? resultLines(results) : plainText(result);
    },
  }),
  tool({
    name: "run_skill_script",
    description: "Runs a script of a skill and gives what it prints.",
    parameters: SCRIPT,
    isOffered: hasRunnableScript,
    mayAsk: true,
    run: (call, { view, executor }, context) => runScript(view, executor, call, context),
    toText: textOf,
  }),
];

const lookup: readonly PresetTool[] = [
  tool({
    name: "read_skill",
    description: "Reads the SKILL.md of a skill: what it is for and the instructions to follow.",
    parameters: { skill_name: SKILL },
    run: ({ skill_name }, parts) => readSkillLines(skill_name, parts),
  }),
  tool({
    name: "read_skill_file",
    description: "Reads a text file of a skill, such as a reference that its instructions mention.",
    parameters: {
      skill_name: SKILL,
      file_path: {
        type: "string",
        description:
          'Path inside the skill, such as "references/guide.md"; with "#L200-400" behind it only these lines.',
      },
    },
    run: ({ skill_name, file_path }, parts) =>
      readFileLines(skill_name, file_path, parts, { parameter: "file_path" }),
  }),
  tool({
    name: "list_skill_directory",
    description: "Lists the files and folders of a skill with their sizes.",
    parameters: {
      skill_name: SKILL,
      directory: {
        type: "string",
        description: "Folder inside the skill. Default: the skill itself.",
        optional: true,
      },
    },
    async run({ skill_name, directory = "" }, { view, maxBytes = DEFAULT_MAX_BYTES }) {
      const listed = await view.listFiles(skill_name, { under: directory || "." });
      if (!listed.ok) return listed;
      // `./references/` and `references` are the same folder.
      const parts = directory.split("/").filter((segment) => segment !== "." && segment !== "");
      const lines = directoryLines(listed.files, parts.length);
      const { fitting, left } = fitList(lines, maxBytes, (line) => line);
      const isCut = left > 0 || listed.truncated;
      if (fitting.length === 0 && !isCut) return "The folder is empty.";
      return [...fitting, ...(isCut ? [MORE_FOLDERS] : [])].join("\n");
    },
  }),
];

const scripts: readonly PresetTool[] = [
  tool({
    name: "load_skill",
    description:
      'Loads the instructions of a skill. Call it before you work on what the skill is for. Of a long skill, "name#L501-800" gives further lines.',
    parameters: { skill_name: SKILL },
    async run({ skill_name }, parts, context) {
      if (splitLines(skill_name).startLine !== undefined) return readSkillLines(skill_name, parts);
      const activation = await loadSkill(skill_name, parts, context);
      return activation.ok ? activation.text : activation;
    },
  }),
  tool({
    name: "run_skill_script",
    description: "Runs a script of a skill and gives what it prints.",
    parameters: SCRIPT,
    isOffered: hasRunnableScript,
    mayAsk: true,
    async run(call, { view, executor }, context) {
      const ran = await runScript(view, executor, call, context);
      return ran.ok ? ran.text : ran;
    },
  }),
];

const sop: readonly PresetTool[] = [
  tool({
    name: "search_skills",
    description: "Finds the skills that fit a task, best first.",
    parameters: SEARCH,
    async run({ query, n = 5 }, { view }) {
      const hits = await view.search(query, { limit: n });
      return hits.map(({ name, description }) => ({ name, description: promptText(description) }));
    },
    toText: (result) => (Array.isArray(result) ? resultLines(result) : plainText(result)),
  }),
  tool({
    name: "load_skill",
    description: "Loads the whole SKILL.md of a skill: the procedure to follow.",
    parameters: { skill_name: SKILL },
    run: ({ skill_name }, parts) => readSkillLines(skill_name, parts),
  }),
  tool({
    name: "load_skill_asset",
    description: "Loads a text file of a skill: a specification, a template or a script.",
    parameters: {
      skill_name: SKILL,
      relative_path: {
        type: "string",
        description:
          'Path under references/, assets/ or scripts/; with "#L200-400" behind it only these lines.',
      },
    },
    async run({ skill_name, relative_path }, parts) {
      const found = parts.view.find(skill_name);
      if (!found.ok) return found;
      const parsed = parseSkillPath(relative_path);
      if (!parsed.ok) return parsed;
      const how = { parameter: "relative_path", allows: isAsset };
      const read = await readFileLines(skill_name, parsed.path, parts, how);
      return typeof read === "string" || isAsset(parsed.path) ? read : noAsset(parsed.path);
    },
  }),
  tool({
    name: "get_skill_script_path",
    description: "Gives the absolute path of a script of a skill, for a command that runs it.",
    parameters: {
      skill_name: SKILL,
      script_name: { type: "string", description: 'File under scripts/, such as "compare.py".' },
    },
    async run({ skill_name, script_name }, { view }) {
      const found = await findScript(view, skill_name, script_name);
      if (!found.ok) return found;
      const { skill, script } = found;
      return isAbsolute(skill.path) ? resolve(skill.path, script) : noFolder(skill.name);
    },
  }),
  tool({
    name: "list_skill_assets",
    description: "Lists the files under references/, assets/ and scripts/ of a skill.",
    parameters: { skill_name: SKILL },
    async run({ skill_name }, { view, maxBytes = DEFAULT_MAX_BYTES }) {
      const listed = await view.listFiles(skill_name);
      if (!listed.ok) return listed;
      const paths = listed.files.map(({ path }) => path).filter(isAsset);
      const { fitting, left } = fitList(paths, maxBytes - MORE_ASSETS.length, (path) => path);
      // The result is a list of paths, so that what it lacks can only be said in it.
      return left > 0 || listed.truncated ? [...fitting, MORE_ASSETS] : fitting;
    },
    toText: (result) => (Array.isArray(result) ? result.join("\n") : plainText(result)),
  }),
  tool({
    name: "run_shell_command",
    description: "Runs a command and gives what it prints.",
    parameters: { command: { type: "string", description: "The command line.", private: true } },
    isOffered: ({ executor }) => executor?.runCommand !== undefined,
    mayAsk: true,
    async run({ command }, { executor }, context) {
      const ran = await executor?.runCommand?.(command, context);
      return ran && outputOf(ran);
    },
  }),
];

const autobot: readonly PresetTool[] = [
  tool({
    name: "read_skill",
    description: "Reads a skill: its description and the whole SKILL.md with the instructions.",
    parameters: { skill_name: SKILL },
    async run({ skill_name }, parts) {
      const found = parts.view.find(splitLines(skill_name).name);
      if (!found.ok) return found;
      const content = await readSkillLines(skill_name, parts);
      if (typeof content !== "string") return content;
      const { name, description } = found.skill;
      return { success: true, name, description: promptText(description), content };
    },
  }),
];

export const PRESETS: Readonly<Record<ToolPreset, Preset>> = {
  /** The smallest set that can work now: `{ ok: true, … }` on success. */
  standard: {
    tools: standard,
    isOffered: ({ view }) => view.skills.length > 0,
    switches: {
      load_skill: "enableReadSkillTool",
      read_skill_file: "enableReadFileTool",
      list_skill_files: "enableListDirectoryTool",
    },
  },
  /** Text on success. */
  lookup: {
    tools: lookup,
    switches: {
      read_skill: "enableReadSkillTool",
      read_skill_file: "enableReadFileTool",
      list_skill_directory: "enableListDirectoryTool",
    },
  },
  /** Text on success. */
  scripts: { tools: scripts },
  /** Failures are texts. */
  sop: { tools: sop, failure: failureText },
  /** One tool that answers `{ success, … }`; those of the workspace come from a provider. */
  autobot: {
    tools: autobot,
    failure: (failure) => ({
      success: false,
      error: failureText(failure).replace(/^Error: /, ""),
    }),
    switches: { read_skill: "enableReadSkill" },
  },
};

function textOf(result: unknown): string {
  const { text } = (result ?? {}) as { text?: unknown };
  return typeof text === "string" ? text : plainText(result);
}

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

function noFolder(skill: string): Failure<"script-without-path"> {
  const message = `the skill ${skill} is defined in code; its scripts have no path`;
  return { ok: false, code: "script-without-path", message };
}
