import { type Expectation, ownTool } from "../case-draft.ts";
import type { CaseSource } from "../case-source.ts";
import type { DocumentPath } from "../document/data-document.ts";
import { durationOf, type Fields, fieldOf, isFields, numberOf, textsOf } from "../fields.ts";
import { addUnsupported } from "./unsupported.ts";

const NUMBERS = {
  maxTurns: ["max_turns", "maxTurns", "max_iterations"],
  maxToolCalls: ["max_tool_calls", "maxToolCalls"],
  maxScripts: ["max_scripts", "maxScripts"],
  maxTokens: ["max_tokens", "maxTokens"],
  maxCost: ["max_cost", "maxCost", "max_cost_usd"],
  maxTimeMs: ["max_duration_ms", "max_response_time_ms", "maxTimeMs"],
} as const;
const DURATIONS = ["max_duration", "maxTime", "max_time"];
const REQUIRED = ["required_tools", "requiredTools", "expect_tools"];
const FORBIDDEN = ["forbidden_tools", "forbiddenTools", "reject_tools"];

export const LIMITS: readonly string[] = [
  ...Object.values(NUMBERS).flat(),
  ...DURATIONS,
  ...REQUIRED,
  ...FORBIDDEN,
  "expect_skills",
  "reject_skills",
];

/** Constraints under the names that several clients give them; what else stands there is left to others. */
export function addLimits(value: unknown, expectation: Expectation): void {
  if (!isFields(value)) return;
  for (const [limit, names] of Object.entries(NUMBERS)) {
    expectation.limit(limit as keyof typeof NUMBERS, numberOf(value, ...names));
  }
  const duration = fieldOf(value, DURATIONS);
  if (duration !== undefined) expectation.limit("maxTimeMs", durationOf(duration));
  expectation.required.push(...textsOf(value, ...REQUIRED).map(ownTool));
  expectation.forbidden.push(...textsOf(value, ...FORBIDDEN).map(ownTool));
  const used = textsOf(value, "expect_skills");
  const unused = textsOf(value, "reject_skills");
  if (used.length > 0) expectation.use(...used);
  if (unused.length > 0) expectation.avoid(...unused);
}

/** The same where nothing but constraints may stand: one that cannot be checked keeps the case from passing. */
export function addConstraints(
  value: unknown,
  { source, path }: { readonly source: CaseSource; readonly path: DocumentPath },
  expectation: Expectation,
): void {
  if (value === undefined || value === null) return;
  if (!isFields(value)) {
    return addUnsupported(source, path, expectation, "the constraints cannot be read here");
  }
  addLimits(value, expectation);
  for (const name of unreadLimits(value)) {
    const text = `the constraint ${name} cannot be checked here`;
    addUnsupported(source, [...path, name], expectation, text);
  }
}

/** Those that are not known, or not of the kind that they have to be. */
export function unreadLimits(value: Fields): string[] {
  return Object.entries(value).flatMap(([name, one]) => {
    if (one === null || one === undefined) return [];
    return isReadable(name, one) ? [] : [name];
  });
}

function isReadable(name: string, value: unknown): boolean {
  if (!LIMITS.includes(name)) return false;
  if (DURATIONS.includes(name)) return durationOf(value) !== undefined;
  if (Object.values(NUMBERS).some((names) => names.some((one) => one === name))) {
    return typeof value === "number" && Number.isFinite(value) && value >= 0;
  }
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.every((one) => typeof one === "string");
}
