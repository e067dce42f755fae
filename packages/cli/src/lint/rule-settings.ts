import { homedir } from "node:os";
import { loadConfiguration, SkillwrightError } from "@skillwright/core";
import {
  directoryRules,
  fieldsRules,
  nearNames,
  projectFolder,
  qualityRules,
  type Rule,
  type RuleSettings,
  safetyRules,
  type Severity,
  syntaxRules,
  visibleLine,
} from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT } from "../exit-code.ts";

export const ALL_RULES: readonly Rule[] = [
  ...syntaxRules,
  ...fieldsRules,
  ...safetyRules,
  ...qualityRules,
  ...directoryRules,
];

const LEVELS: ReadonlySet<string> = new Set(["error", "warning", "info", "off"]);

export interface RuleSettingsOptions {
  readonly config?: string;
  readonly rule?: readonly string[];
}

/** Severities from the configuration's `lint.rules`, then from `--rule`, which count more. */
export async function readRuleSettings(
  { config, rule = [] }: RuleSettingsOptions,
  console: Console,
): Promise<RuleSettings> {
  const settings: Record<string, Severity | "off"> = {};
  const configuration = await readConfiguration(config, console);
  for (const [code, level] of Object.entries(configuration.values.lint.rules)) {
    const problem = settingProblem(code, level);
    if (problem === undefined) settings[code] = level;
    else console.note(visibleLine(`warning: lint.rules.${code} ${problem}; ignored`));
  }
  for (const text of rule) {
    const [code = "", level = ""] = text.split("=");
    const problem = settingProblem(code, level);
    if (problem !== undefined) throw new CommandFailure(EXIT.usage, `--rule ${text} ${problem}`);
    const { refused } = configuration.limit("lint.rules", { [code]: level });
    if (refused !== undefined) throw new CommandFailure(EXIT.usage, `--rule ${text}: ${refused}`);
    settings[code] = level as Severity;
  }
  return settings;
}

/** Checking is safe in any project, so its own severities count, as far as a project may say. */
async function readConfiguration(config: string | undefined, console: Console) {
  const { cwd, env } = console;
  const home = env["HOME"] ?? homedir();
  const project = projectFolder(cwd, home);
  const configFile = config === undefined ? undefined : { configFile: config };
  try {
    const loaded = await loadConfiguration({
      cwd,
      project,
      home,
      env,
      projectTrusted: true,
      ...configFile,
    });
    for (const { path, reason } of loaded.problems) {
      if (path.startsWith("lint."))
        console.note(visibleLine(`warning: ${path} ${reason}; ignored`));
    }
    return loaded;
  } catch (error) {
    if (!SkillwrightError.isInstance(error)) throw error;
    throw new CommandFailure(EXIT.usage, error.message, { cause: error });
  }
}

function settingProblem(code: string, level: unknown): string | undefined {
  const rule = ALL_RULES.find((candidate) => candidate.code === code);
  if (rule === undefined) {
    const [near] = nearNames(
      code,
      ALL_RULES.map((candidate) => candidate.code),
      1,
    );
    return `names no rule${near === undefined ? "" : `; did you mean "${near}"?`}`;
  }
  if (rule.effect === "skipped") return "cannot be changed: such a skill cannot be loaded";
  const known = typeof level === "string" && LEVELS.has(level);
  return known ? undefined : "must be error, warning, info or off";
}
