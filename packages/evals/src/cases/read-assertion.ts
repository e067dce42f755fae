import { type Expectation, ownTool } from "./case-draft.ts";
import { checkProblem } from "./check-problem.ts";
import type { OutputCheck, OutputCheckKind } from "./eval-case.ts";
import { type Fields, fieldOf, isFields, numberOf, textOf, textsOf } from "./fields.ts";

const NOTHING = "the assertion says nothing";
const LABELS = [
  "text",
  "description",
  "assertion",
  "statement",
  "expectation",
  "label",
  "name",
  "criterion",
  "check",
  "message",
  "title",
];
const VALUES = ["value", "expected", "substring", "contains", "string", "target"];
const PATTERNS = ["pattern", "regex", "value", "expected"];
const PATHS = ["path", "file", "filename", "file_path", "target"];

/**
 * An assertion of an `evals.json`: a sentence, or an object of any shape. What can be checked without a
 * model becomes a check, what else says something a statement. Gives the problem when it cannot be read.
 */
export function readAssertion(assertion: unknown, expectation: Expectation): string | undefined {
  if (typeof assertion === "string") return addStatement(assertion, expectation);
  if (!isFields(assertion)) return NOTHING;
  const label = textOf(assertion, ...LABELS);
  const type = textOf(assertion, "type", "kind", "method", "grader")?.toLowerCase() ?? "";
  const plain = type.replaceAll("_", "-");
  const isNegated = /^(?:not-|no-|does-not-)|-not-|^(?:excludes|absent)$|-absent$/.test(plain);
  const name = plain.replace(/^(?:not|no|does-not)-/, "").replace("-not-", "-");
  const isTurned = isNegated !== (assertion["negate"] === true || assertion["not"] === true);
  const kinds = checksOf(name, assertion);
  const problem = kinds.map(checkProblem).find((one) => one !== undefined);
  if (problem !== undefined) return problem;
  const more = { ...(isTurned && { not: true as const }), ...(label !== undefined && { label }) };
  expectation.output.push(...kinds.map((kind): OutputCheck => ({ ...kind, ...more })));
  const isExact = kinds.length > 0 || addUse(name, assertion, isTurned, expectation);
  if (label === undefined) return isExact ? undefined : unreadable(type);
  // The same sentence may stand in both dialects, for clients that know only one.
  if (!isExact) return addStatement(label, expectation);
  expectation.told.add(label.trim());
  return undefined;
}

function unreadable(type: string): string {
  return type === "" ? NOTHING : `${type} is not known, or lacks what it needs, such as a value`;
}

function addStatement(text: string, { statements }: Expectation): string | undefined {
  if (text.trim() === "") return NOTHING;
  statements.push(text.trim());
  return undefined;
}

/** What is said of skills, tools and steps is kept where the rest of its kind is. */
function addUse(name: string, fields: Fields, not: boolean, expectation: Expectation): boolean {
  if (name === "sequence") {
    const lines = textsOf(fields, "value", "values", "sequence");
    expectation.sequence.push(...lines.map((line) => (not ? `not ${line}` : line)));
    return lines.length > 0;
  }
  if (/^skill-(?:used|invoked|triggered|activated|called)$/.test(name)) {
    const skills = textsOf(fields, "value", "skill", "skills", "expected");
    if (not) expectation.avoid(...skills);
    else expectation.use(...skills);
    return skills.length > 0;
  }
  if (!/^tool-(?:used|called|call|invoked)$/.test(name)) return false;
  const tools = textsOf(fields, "value", "tool", "tools", "expected").map(ownTool);
  (not ? expectation.forbidden : expectation.required).push(...tools);
  return tools.length > 0;
}

/** None when the type is not known, or what it needs is not there. */
function checksOf(name: string, fields: Fields): OutputCheckKind[] {
  const values = textsOf(fields, ...VALUES, "values", "any", "all");
  const [value] = values;
  const path = textOf(fields, ...PATHS);
  const schema = fieldOf(fields, ["schema", "value"]);
  switch (name) {
    case "contains":
    case "output-contains":
    case "text-contains":
    case "includes":
    case "excludes":
    case "contains-all":
    case "contains-text":
      return values.map((one) => ({ type: "contains", value: one }));
    case "icontains":
    case "contains-ignore-case":
    case "contains-case-insensitive":
      return values.map((one) => ({ type: "contains", value: one, ignoreCase: true }));
    case "contains-any":
      return values.length === 0 ? [] : [{ type: "regex", pattern: values.map(escaped).join("|") }];
    case "equals":
    case "exact":
    case "exact-match":
      return value === undefined ? [] : [{ type: "equals", value }];
    case "starts-with":
      return value === undefined ? [] : [{ type: "regex", pattern: `^\\s*${escaped(value)}` }];
    case "ends-with":
      return value === undefined ? [] : [{ type: "regex", pattern: `${escaped(value)}\\s*$` }];
    case "regex":
    case "pattern":
    case "matches":
    case "output-matches":
    case "regex-match":
      return regexOf(fields);
    case "is-json":
    case "valid-json":
    case "json-valid":
      return [{ type: "json-schema", schema: true, ...(path !== undefined && { file: path }) }];
    case "json-schema":
      return isFields(schema)
        ? [{ type: "json-schema", schema, ...(path !== undefined && { file: path }) }]
        : [];
    case "json-path":
      return jsonPathOf(fields);
    case "number":
    case "numeric":
    case "approx":
      return numberCheckOf(fields);
    case "script":
    case "grader-script":
      return scriptOf(fields);
    default:
      return path === undefined ? [] : fileChecksOf(name, path, fields);
  }
}

function scriptOf(fields: Fields): OutputCheckKind[] {
  const file = textOf(fields, "file", "script", "path");
  const args = textsOf(fields, "args");
  return file === undefined ? [] : [{ type: "script", file, ...(args.length > 0 && { args }) }];
}

function regexOf(fields: Fields): OutputCheckKind[] {
  const pattern = textOf(fields, ...PATTERNS);
  const flags = textOf(fields, "flags");
  if (pattern === undefined) return [];
  return [{ type: "regex", pattern, ...(flags !== undefined && { flags }) }];
}

function jsonPathOf(fields: Fields): OutputCheckKind[] {
  const path = textOf(fields, "path", "json_path", "jsonpath");
  if (path === undefined) return [];
  const equals = fieldOf(fields, ["equals", "value", "expected"]);
  const file = textOf(fields, "file");
  return [
    {
      type: "json-path",
      path,
      ...(equals !== undefined && { equals }),
      ...(file !== undefined && { file }),
    },
  ];
}

function numberCheckOf(fields: Fields): OutputCheckKind[] {
  const value = numberOf(fields, "value", "expected");
  const tolerance = numberOf(fields, "tolerance", "epsilon", "delta") ?? 0;
  const pattern = textOf(fields, "pattern");
  if (value === undefined || tolerance < 0) return [];
  return [{ type: "number", value, tolerance, ...(pattern !== undefined && { pattern }) }];
}

function fileChecksOf(name: string, path: string, fields: Fields): OutputCheckKind[] {
  const value = textOf(fields, "value", "content", "contains", "expected", "substring");
  const sha256 = textOf(fields, "sha256", "hash", "value");
  switch (name) {
    case "file-exists":
    case "exists":
    case "file-created":
    case "file-absent":
      return [{ type: "file-exists", path }];
    case "file-contains":
      return value === undefined ? [] : [{ type: "file-contains", path, value }];
    case "file-equals":
      return value === undefined ? [] : [{ type: "file-equals", path, value }];
    case "file-hash":
    case "file-sha256":
      return sha256 === undefined ? [] : [{ type: "file-hash", path, sha256 }];
    default:
      return [];
  }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
