import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { OutputCheckKind } from "../cases/eval-case.ts";
import { Expectation, ownTool } from "../cases/expectation.ts";
import { durationOf, type Fields, isFields, textOf, textsOf, wordList } from "../cases/fields.ts";
import type { ImportedCase, ImportPlace } from "./import-draft.ts";

// What several tools have in common. Functions return whether all of what is given could be expressed.

/** Fields that change nothing about what is checked. */
const PLAIN = new Set(wordList("type name id description comment weight config tags kind"));

export function hasOnly(fields: Fields, ...names: readonly string[]): boolean {
  return Object.keys(fields).every((name) => PLAIN.has(name) || names.includes(name));
}

export function addCheck({ output }: Expectation, check: OutputCheckKind, not = false): void {
  output.push({ ...check, ...(not && { not: true as const }) });
}

export function addTexts(
  expectation: Expectation,
  texts: readonly string[],
  { not = false, ignoreCase = false } = {},
): void {
  for (const value of texts) {
    addCheck(expectation, { type: "contains", value, ...(ignoreCase && { ignoreCase }) }, not);
  }
}

/** What the regular expressions of Go and Python have and those of JavaScript do not. */
const FOREIGN_REGEX = /(?<!\\)(?:\\\\)*\\[AzZQEpPaC]|\[\[:|\(\?(?![:=!<])/;
const INLINE_FLAGS = /^\(\?[ims]+\)/;

/** Whether a pattern means the same here. */
function isPortable(pattern: string): boolean {
  const source = pattern.replace(INLINE_FLAGS, "");
  try {
    return !FOREIGN_REGEX.test(source) && new RegExp(source) instanceof RegExp;
  } catch {
    return false;
  }
}

export function addRegexes(
  expectation: Expectation,
  patterns: readonly string[],
  not = false,
): boolean {
  const portable = patterns.filter(isPortable);
  for (const pattern of portable) addCheck(expectation, { type: "regex", pattern }, not);
  return portable.length === patterns.length;
}

const INTERPRETERS = /^(?:python3?|node|bash|sh|deno|bun|ruby)$/;

/** A program in a folder beside the file. */
export function addProgram(
  expectation: Expectation,
  command: string,
  args: readonly string[],
  folder: string,
): boolean {
  const [file = "", ...rest] = INTERPRETERS.test(command) ? args : [command, ...args];
  const isFile = /\.[a-z]{1,4}$/i.test(file) && !/^(?:[/\\-]|[a-z]:|\.\.)/i.test(file);
  const path = resolve(folder, file);
  if (!isFile || !existsSync(path)) return false;
  addCheck(expectation, { type: "script", file: path, ...(rest.length > 0 && { args: rest }) });
  return true;
}

const TOOL_FIELDS = ["tool", "command", "command_pattern", "path", "path_pattern"];

/** Tools by patterns of their name and of their arguments, as lines of the sequence language. */
export function addToolPatterns(
  expectation: Expectation,
  items: readonly unknown[],
  prefix: "" | "never ",
): boolean {
  const added = items.map((item) => {
    const fields: Fields = isFields(item) ? item : { name: item };
    const name = textOf(fields, "name", "tool");
    if (name === undefined || !hasOnly(fields, ...TOOL_FIELDS)) return false;
    const command = textOf(fields, "command", "command_pattern");
    const path = textOf(fields, "path", "path_pattern");
    const isPlain = /^[\w.-]+$/.test(name);
    const patterns = [
      ...(isPlain ? [] : [["subject", name] as const]),
      ...(command === undefined ? [] : [["input.command", command] as const]),
      ...(path === undefined ? [] : [["input.path", path] as const]),
    ];
    if (!patterns.every(([, pattern]) => isPortable(pattern))) return false;
    if (patterns.length === 0) {
      expectation[prefix === "" ? "required" : "forbidden"].push(ownTool(name));
      return true;
    }
    const where = patterns.map(([field, pattern]) => `${field} matches ${literal(pattern)}`);
    const subject = isPlain ? ` ${JSON.stringify(ownTool(name))}` : "";
    expectation.sequence.push(`${prefix}use${subject} where ${where.join(" and ")}`);
    return true;
  });
  return added.every(Boolean);
}

/** As the sequence language writes it; `(?i)` at the beginning becomes a flag. */
function literal(pattern: string): string {
  const inline = /^\(\?([ims]+)\)/.exec(pattern);
  const source = pattern
    .slice(inline?.[0].length ?? 0)
    .replaceAll(/(?<!\\)((?:\\\\)*)\//g, "$1\\/");
  return `/${source}/${inline?.[1] ?? ""}`;
}

export const SKILL_LISTS = wordList(
  `required required_skills disallowed forbidden forbidden_skills mode allow_extra`,
);

/** Skills that are required or forbidden. Their order cannot be expressed exactly. */
export function addSkillLists(expectation: Expectation, config: Fields): boolean {
  const used = textsOf(config, "required", "required_skills");
  const unused = textsOf(config, "disallowed", "forbidden", "forbidden_skills");
  if (used.length > 0) expectation.use(...used);
  if (unused.length > 0) expectation.avoid(...unused);
  const mode = textOf(config, "mode") ?? "";
  if (config["allow_extra"] === false || mode.startsWith("exact")) expectation.useNoOther();
  return !(used.length > 1 && /^(?:in_order|exact)/.test(mode));
}

const NUMBERS: Readonly<
  Record<string, "maxTurns" | "maxToolCalls" | "maxTokens" | "maxCost" | "maxTimeMs">
> = {
  max_turns: "maxTurns",
  max_iterations: "maxTurns",
  max_tool_calls: "maxToolCalls",
  max_tokens: "maxTokens",
  max_cost: "maxCost",
  max_cost_usd: "maxCost",
  max_duration_ms: "maxTimeMs",
  max_response_time_ms: "maxTimeMs",
};

/** Limits and tools under the names that waza and vally give them. Each that is not known stays unjudged. */
export function addConstraints(one: ImportedCase, { source, fields, path }: ImportPlace): void {
  const { expectation } = one;
  for (const [name, value] of Object.entries(fields)) {
    if (value === null || value === undefined || addConstraint(expectation, name, value)) continue;
    one.unjudged({ source }, [...path, name], `the constraint ${name} cannot be checked`);
  }
}

function addConstraint(expectation: Expectation, name: string, value: unknown): boolean {
  const limit = NUMBERS[name];
  if (limit !== undefined) {
    if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return false;
    expectation.limit(limit, value);
    return true;
  }
  if (["max_duration", "max_time"].includes(name)) {
    const time = durationOf(value);
    if (time !== undefined) expectation.limit("maxTimeMs", time);
    return time !== undefined;
  }
  const texts = textsOf({ value }, "value");
  if (texts.length === 0 || (Array.isArray(value) && texts.length < value.length)) return false;
  switch (name) {
    case "required_tools":
    case "expect_tools":
      expectation.required.push(...texts.map(ownTool));
      return true;
    case "forbidden_tools":
    case "reject_tools":
      expectation.forbidden.push(...texts.map(ownTool));
      return true;
    case "expect_skills":
      expectation.use(...texts);
      return true;
    case "reject_skills":
      expectation.avoid(...texts);
      return true;
    default:
      return false;
  }
}

/** A grader that cannot be expressed as a whole stays unjudged: a part of it would be another check. */
export function addGraders(
  one: ImportedCase,
  { source, fields, path }: ImportPlace,
  add: (grader: Fields, expectation: Expectation) => boolean,
): void {
  const { graders } = fields;
  if (graders === undefined || graders === null) return;
  if (!Array.isArray(graders)) {
    return one.unjudged({ source }, [...path, "graders"], "graders are not a list");
  }
  for (const [i, grader] of (graders as readonly unknown[]).entries()) {
    const type = isFields(grader) ? textOf(grader, "type") : undefined;
    const name = isFields(grader) ? textOf(grader, "name") : undefined;
    const called = name === undefined || name === type ? type : `${type} (${name})`;
    const own = new Expectation();
    if (isFields(grader) && type !== undefined && add(grader, own)) {
      one.expectation.add(own);
      continue;
    }
    const message = `the grader ${called ?? "without a type"} cannot be converted`;
    one.unjudged({ source }, [...path, "graders", i], message);
  }
}

export function trialsOf({ fields }: ImportPlace, name: string): number | undefined {
  const value = fields[name];
  const isCount = typeof value === "number" && Number.isInteger(value) && value >= 1;
  return isCount && value <= 1000 ? value : undefined;
}
