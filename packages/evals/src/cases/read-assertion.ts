import { checkSchema } from "./case-schema.ts";
import { type Expectation, ownTool } from "./expectation.ts";
import { type Fields, isFields, textOf, textsOf, wordList } from "./fields.ts";
import { checkProblem, outputCheckOf } from "./output-check.ts";

/**
 * What an assertion came to. `unsupported`: it is typed, and cannot be checked as what it is. It is never turned into
 * something else: a sentence for a judge, or a weaker check.
 */
type AssertionReading =
  | { readonly kind: "read" }
  | { readonly kind: "invalid" | "unsupported"; readonly message: string };

const READ: AssertionReading = { kind: "read" };
/** The sentence of an assertion. */
const SENTENCES = ["text", "description", "assertion", "statement", "expectation", "criterion"];
/** What says nothing about what is checked. */
const PLAIN = new Set(wordList("id name severity priority weight category tags critical"));
/** Types of assertions that a person or a model judges. */
const IN_WORDS =
  /^(?:text|statement|qualitative|quality|semantic|subjective|manual|human|rubric|behaviou?r(?:al)?|model-graded|llm|llm-(?:rubric|judge|graded|check|eval)|judge|natural-language)$/;
/** Other names of our checks. */
const ALIASES: Readonly<Record<string, string>> = {
  "output-contains": "contains",
  "text-contains": "contains",
  "contains-text": "contains",
  includes: "contains",
  excludes: "not-contains",
  exact: "equals",
  "exact-match": "equals",
  pattern: "regex",
  matches: "regex",
  "output-matches": "regex",
  "regex-match": "regex",
  "valid-json": "is-json",
  "json-valid": "is-json",
  exists: "file-exists",
  "file-created": "file-exists",
  "file-absent": "not-file-exists",
  "skill-invoked": "skill-used",
  "skill-triggered": "skill-used",
  "skill-activated": "skill-used",
  "tool-called": "tool-used",
};

/** An assertion of an `evals.json`: a sentence, or an object with a type, which is one of our checks. */
export function readAssertion(assertion: unknown, expectation: Expectation): AssertionReading {
  if (typeof assertion === "string") return addStatement(assertion, expectation);
  if (!isFields(assertion)) return { kind: "invalid", message: "expected a text or an object" };
  const label = textOf(assertion, ...SENTENCES);
  const rest = Object.fromEntries(
    Object.entries(assertion).filter(
      ([name, value]) =>
        !SENTENCES.includes(name) && !PLAIN.has(name) && value !== null && value !== undefined,
    ),
  );
  const { type: given, not: negated, ...fields } = rest;
  if (given === undefined && Object.keys(rest).length === 0) {
    return addStatement(label ?? "", expectation);
  }
  const written = typeof given === "string" ? given.toLowerCase().replaceAll("_", "-") : "";
  if (IN_WORDS.test(written) && negated !== true) {
    const { value } = fields;
    const text = label ?? (typeof value === "string" ? value : undefined);
    const isWhole = Object.keys(fields).every((name) => name === "value" && text === value);
    if (text !== undefined && isWhole) return addStatement(text, expectation);
  }
  const aliased = ALIASES[written] ?? written;
  const isNegative = /^not-|-not-/.test(aliased);
  const type = aliased.replace(/^not-/, "").replace("-not-", "-");
  const plainType = ALIASES[type] ?? type;
  const not = isNegative !== (negated === true);
  const problem = isUse(plainType)
    ? addUse(plainType, fields, not, expectation)
    : addChecks(plainType, fields, { not, label }, expectation);
  if (problem !== undefined) return problem;
  // The same sentence may stand in both dialects, for clients that know only one.
  if (label !== undefined) expectation.checked.add(label.trim());
  return READ;
}

function addStatement(text: string, { statements }: Expectation): AssertionReading {
  if (text.trim() === "") return { kind: "invalid", message: "the assertion is empty" };
  statements.push(text.trim());
  return READ;
}

type Problem = Exclude<AssertionReading, { readonly kind: "read" }>;

/** Assertions about skills, tools and steps, and the fields that name them. */
const USES = {
  sequence: ["value", "values"],
  "skill-used": ["value", "values", "skill", "skills"],
  "tool-used": ["value", "values", "tool", "tools"],
} as const;

function isUse(type: string): type is keyof typeof USES {
  return Object.hasOwn(USES, type);
}

function addUse(
  type: keyof typeof USES,
  fields: Fields,
  not: boolean,
  expectation: Expectation,
): Problem | undefined {
  const texts = textsOf(fields, ...USES[type]);
  const isWhole = texts.length > 0 && Object.keys(fields).length === 1;
  if (!isWhole || (type === "sequence" && not)) return unsupported(type, fields);
  if (type === "sequence") expectation.sequence.push(...texts);
  else if (type === "skill-used") expectation[not ? "avoid" : "use"](...texts);
  else expectation[not ? "forbidden" : "required"].push(...texts.map(ownTool));
  return undefined;
}

/** Other names of the fields of a check. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  contains: { substring: "value", ignore_case: "ignoreCase", case_insensitive: "ignoreCase" },
  equals: { expected: "value" },
  regex: { value: "pattern", regex: "pattern" },
  "json-path": { value: "equals", expected: "equals", json_path: "path" },
  "json-schema": { value: "schema", path: "file" },
  number: { expected: "value", epsilon: "tolerance" },
  script: { script: "file", path: "file" },
  "file-exists": { file: "path", filename: "path", value: "path" },
  "file-contains": { file: "path", filename: "path", content: "value", substring: "value" },
  "file-equals": { file: "path", filename: "path", content: "value" },
  "file-hash": { file: "path", filename: "path", hash: "sha256", value: "sha256" },
};

function addChecks(
  type: string,
  fields: Fields,
  { not, label }: { readonly not: boolean; readonly label: string | undefined },
  expectation: Expectation,
): Problem | undefined {
  const wanted = checksOf(type, fields, not);
  const read = wanted.map((check) => {
    const names = FIELDS[String(check["type"])] ?? {};
    const own = Object.entries(check).map(([name, value]) => [names[name] ?? name, value]);
    return checkSchema.safeParse(Object.fromEntries(own));
  });
  const checks = read.flatMap(({ success, data }) => (success ? [outputCheckOf(data)] : []));
  if (wanted.length === 0 || checks.length < read.length) return unsupported(type, fields);
  const message = checks.map(checkProblem).find((problem) => problem !== undefined);
  if (message !== undefined) return { kind: "invalid", message };
  const more = { ...(not && { not: true as const }), ...(label !== undefined && { label }) };
  expectation.output.push(...checks.map((check) => ({ ...check, ...more })));
  return undefined;
}

/** As our checks, with any names of fields. None: there are none that mean the same. */
function checksOf(type: string, fields: Fields, not: boolean): Fields[] {
  const { value: _, values: __, ...more } = fields;
  const texts = textsOf(fields, "values", "value");
  const [first] = texts;
  const isWhole = Object.keys(more).length === 0 && texts.length > 0;
  switch (type) {
    case "contains":
    case "icontains":
    case "contains-ignore-case": {
      const ignoreCase = type === "contains" ? {} : { ignoreCase: true };
      if (texts.length === 0) return [{ ...fields, type: "contains", ...ignoreCase }];
      return texts.map((text) => ({ ...more, type: "contains", value: text, ...ignoreCase }));
    }
    case "contains-all":
      if (!isWhole || (not && texts.length > 1)) return [];
      return texts.map((text) => ({ type: "contains", value: text }));
    case "contains-any":
      return isWhole ? [{ type: "regex", pattern: texts.map(escapeRegex).join("|") }] : [];
    case "starts-with":
      if (!isWhole || texts.length > 1) return [];
      return [{ type: "regex", pattern: `^\\s*${escapeRegex(first ?? "")}` }];
    case "ends-with":
      if (!isWhole || texts.length > 1) return [];
      return [{ type: "regex", pattern: `${escapeRegex(first ?? "")}\\s*$` }];
    case "is-json":
      return [{ ...fields, type: "json-schema", schema: true }];
    default:
      return [{ ...fields, type }];
  }
}

function unsupported(type: string, fields: Fields): Problem {
  const names = Object.keys(fields).join(", ");
  const message =
    type === ""
      ? `an assertion with ${names} is not known`
      : `the type ${type} with ${names || "nothing"} is not known`;
  return { kind: "unsupported", message };
}

export function escapeRegex(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
