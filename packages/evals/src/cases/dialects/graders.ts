import { type Expectation, ownTool } from "../case-draft.ts";
import type { OutputCheckKind } from "../eval-case.ts";
import { type Fields, isFields, textOf, textsOf } from "../fields.ts";

/** A check turned round, or not. */
export function addCheck(expectation: Expectation, kind: OutputCheckKind, not = false): void {
  expectation.output.push({ ...kind, ...(not && { not: true as const }) });
}

export function addRegex(expectation: Expectation, pattern: string, not = false): void {
  addCheck(expectation, { type: "regex", pattern }, not);
}

export function addTexts(
  expectation: Expectation,
  texts: readonly string[],
  { not = false, ignoreCase = false } = {},
): void {
  for (const value of texts) {
    const kind = {
      type: "contains",
      value,
      ...(ignoreCase && { ignoreCase: true as const }),
    } as const;
    addCheck(expectation, kind, not);
  }
}

const INTERPRETERS = /^(?:python3?|node|bash|sh|deno|bun|ruby)$/;

/** A program in the folder of the case; false for what lies elsewhere. */
export function addProgram(
  expectation: Expectation,
  command: string,
  args: readonly string[],
): boolean {
  const [file = "", ...rest] = INTERPRETERS.test(command) ? args : [command, ...args];
  const isFile =
    /\.[a-z]{1,4}$/i.test(file) && !/^(?:[/\\-]|[a-z]:)/i.test(file) && !/\s/.test(file);
  if (!isFile) return false;
  addCheck(expectation, { type: "script", file, ...(rest.length > 0 && { args: rest }) });
  return true;
}

const TOOL_FIELDS = new Set(["name", "tool", "command", "command_pattern", "path", "path_pattern"]);

/**
 * Tools that are asked for or forbidden, by a pattern of their name and of what they are called with, as
 * lines of our language. False when one of them has no name, or says more than that.
 */
export function addToolPatterns(
  expectation: Expectation,
  items: readonly unknown[],
  prefix: "" | "never ",
): boolean {
  let areNamed = true;
  for (const item of items) {
    const fields: Fields = isFields(item) ? item : { name: item };
    const name = textOf(fields, "name", "tool");
    if (name === undefined) {
      areNamed = false;
      continue;
    }
    const isKnown = Object.keys(fields).every((key) => TOOL_FIELDS.has(key));
    if (!isKnown) areNamed = false;
    const command = textOf(fields, "command", "command_pattern");
    const path = textOf(fields, "path", "path_pattern");
    const conditions = [
      ...(command === undefined ? [] : [`input.command matches ${literal(command)}`]),
      ...(path === undefined ? [] : [`input.path matches ${literal(path)}`]),
    ];
    if (conditions.length === 0 && /^[\w.-]+$/.test(name)) {
      (prefix === "" ? expectation.required : expectation.forbidden).push(ownTool(name));
    } else {
      const subject = /^[\w.-]+$/.test(name) ? [] : [`subject matches ${literal(name)}`];
      const about = subject.length === 0 ? ` ${JSON.stringify(ownTool(name))}` : "";
      const where = [...subject, ...conditions].join(" and ");
      expectation.sequence.push(`${prefix}use${about}${where === "" ? "" : ` where ${where}`}`);
    }
  }
  return areNamed;
}

export const SKILL_LISTS = [
  "required",
  "required_skills",
  "disallowed",
  "forbidden",
  "forbidden_skills",
  "mode",
  "allow_extra",
];

/** Skills that are required or forbidden, under any of their names. */
export function addSkillLists(expectation: Expectation, config: Fields): void {
  const used = textsOf(config, "required", "required_skills");
  const unused = textsOf(config, "disallowed", "forbidden", "forbidden_skills");
  expectation.use(...used);
  expectation.avoid(...unused);
  expectation.saysSkills = expectation.used.size + expectation.unused.size > 0;
  const mode = textOf(config, "mode") ?? "";
  if (used.length > 1 && /^(?:in_order|exact)/.test(mode)) {
    const steps = used.map((skill) => `select ${JSON.stringify(skill)}`);
    expectation.sequence.push(`in order: ${steps.join(", ")}`);
  }
  if (config["allow_extra"] === false || mode.startsWith("exact")) expectation.useNoOther();
}

/** A regular expression as the language writes it; what other dialects write before it is a flag here. */
function literal(pattern: string): string {
  const inline = /^\(\?([ims]+)\)/.exec(pattern);
  const source = pattern
    .slice(inline?.[0].length ?? 0)
    .replaceAll(/(?<!\\)((?:\\\\)*)\//g, "$1\\/");
  return `/${source}/${inline?.[1] ?? ""}`;
}
