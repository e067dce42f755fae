import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import {
  directoryRules,
  fieldsRules,
  nearNames,
  qualityRules,
  type Rule,
  type RuleSettings,
  safetyRules,
  type Severity,
  syntaxRules,
} from "@skillwright/core";
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
  for (const [code, level] of await configuredRules(config, console)) {
    const problem = settingProblem(code, level);
    if (problem === undefined) settings[code] = level as Severity;
    else console.note(`warning: lint.rules.${code} in the configuration ${problem}; ignored`);
  }
  for (const text of rule) {
    const [code = "", level = ""] = text.split("=");
    const problem = settingProblem(code, level);
    if (problem !== undefined) throw new CommandFailure(EXIT.usage, `--rule ${text} ${problem}`);
    settings[code] = level as Severity;
  }
  return settings;
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

async function configuredRules(
  config: string | undefined,
  { cwd }: Console,
): Promise<[string, unknown][]> {
  const file = resolve(cwd, config ?? ".agent/config.json");
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (config === undefined && cause.code === "ENOENT") return undefined;
    throw new CommandFailure(EXIT.usage, `the configuration ${file} cannot be read`, { cause });
  });
  if (text === undefined) return [];
  const rules = property(property(await parseJson(text, file), "lint"), "rules");
  return typeof rules === "object" && rules !== null ? Object.entries(rules) : [];
}

async function parseJson(text: string, file: string): Promise<unknown> {
  const { default: stripJsonComments } = await import("strip-json-comments");
  try {
    return JSON.parse(stripJsonComments(text, { trailingCommas: true })) as unknown;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CommandFailure(EXIT.usage, `${file} is not valid JSON: ${reason}`, { cause });
  }
}

function property(value: unknown, key: string): unknown {
  const isObject = typeof value === "object" && value !== null && Object.hasOwn(value, key);
  return isObject ? (value as Record<string, unknown>)[key] : undefined;
}
