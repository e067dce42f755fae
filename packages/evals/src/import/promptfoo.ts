import type { CaseSource } from "../cases/case-source.ts";
import { Expectation, ownTool } from "../cases/expectation.ts";
import { type Fields, isFields, listOf, textOf, textsOf } from "../cases/fields.ts";
import { escapeRegex } from "../cases/read-assertion.ts";
import { addCheck, addRegexes, addTexts } from "./graders.ts";
import { ImportedCase, type ImportLosses, type ImportPlace, inner } from "./import-draft.ts";

const ROOT = ["description", "prompts", "tests", "defaultTest"];
const TEST = ["description", "vars", "assert", "metadata", "options", "threshold"];
/** Fields of an assertion that do not change whether it passes. */
const PLAIN = new Set(["type", "metric", "provider", "weight"]);

/** A `promptfooconfig.yaml`: every prompt with the variables of every test. */
export function importPromptfoo(source: CaseSource, losses: ImportLosses): ImportedCase[] {
  const root = { source, fields: source.document.value as Fields, path: [] };
  losses.addOthers(root, ROOT);
  const defaults = inner(root, "defaultTest");
  losses.addOthers(defaults, ["vars", "assert", "metadata"]);
  const { prompts: given, tests } = root.fields;
  const prompts = (Array.isArray(given) ? (given as readonly unknown[]) : [given]).flatMap(
    (prompt, i) => {
      const text = isFields(prompt) ? textOf(prompt, "raw") : prompt;
      if (typeof text === "string" && !isReference(text)) return [text];
      losses.add("left-out", source, ["prompts", i], "the prompt is a file, a program or a chat");
      return [];
    },
  );
  if (!Array.isArray(tests)) {
    losses.add("left-out", source, ["tests"], "the tests are not in this file");
    return [];
  }
  return (tests as readonly unknown[]).flatMap((test, i) => {
    const path = ["tests", i];
    if (!isFields(test)) {
      losses.add("left-out", source, path, "the test is not in this file");
      return [];
    }
    const place = { source, fields: test, path };
    losses.addOthers(place, TEST);
    return prompts.flatMap((prompt, k) => {
      const id = `test-${i + 1}${prompts.length > 1 ? `-prompt-${k + 1}` : ""}`;
      return testCase(place, defaults, { prompt, id }, losses);
    });
  });
}

/** A file, a program, a chat in JSON. */
function isReference(prompt: string): boolean {
  return /^(?:file|exec|https?):\/\/|^\s*\[|^[^\s{}]+\.(?:txt|md|json|ya?ml|js|ts|mjs|cjs|py|csv|j2)$/i.test(
    prompt,
  );
}

function testCase(
  test: ImportPlace,
  defaults: ImportPlace,
  { prompt, id }: { readonly prompt: string; readonly id: string },
  losses: ImportLosses,
): ImportedCase[] {
  const { source, fields, path } = test;
  const vars = { ...inner(defaults, "vars").fields, ...inner(test, "vars").fields };
  const input = filled(prompt, vars);
  if (input === undefined) {
    const message = "the prompt has variables that are not plain texts";
    losses.add("left-out", source, [...path, "vars"], message, id);
    return [];
  }
  const one = new ImportedCase(id, input, losses);
  one.title = textOf(fields, "description");
  const { threshold } = fields;
  if (threshold !== undefined) {
    // Passing with a part of the assertions is another check.
    one.unjudged(
      test,
      [...path, "threshold"],
      "a threshold over all assertions cannot be converted",
    );
  }
  for (const name of ["transform", "postprocess"]) {
    const options = inner(test, "options");
    if (name in options.fields)
      one.unjudged(test, [...options.path, name], `options.${name} cannot be converted`);
  }
  one.tags.push(...textsOf(inner(test, "metadata").fields, "tags"));
  for (const place of [defaults, test]) {
    for (const [i, assertion] of listOf(place.fields, "assert").entries()) {
      const type = isFields(assertion) ? (textOf(assertion, "type") ?? "") : "";
      const own = new Expectation();
      const isWhole = isFields(assertion) && addAssertion(assertion, type, own, vars);
      if (isWhole) {
        one.expectation.add(own);
        continue;
      }
      const message = `the assertion ${type === "" ? "without a type" : type} cannot be converted`;
      one.unjudged(place, [...place.path, "assert", i], message);
    }
  }
  return [one];
}

/** Plain `{{ name }}` only. Undefined: the template needs more. */
function filled(template: string, vars: Fields): string | undefined {
  let isPlain = true;
  const text = template.replaceAll(/\{\{-?\s*([\w.]+)\s*-?\}\}/g, (_, name: string) => {
    const value = Object.hasOwn(vars, name) ? vars[name] : undefined;
    const isText = ["string", "number", "boolean"].includes(typeof value);
    if (!isText || isReference(String(value))) isPlain = false;
    return String(value);
  });
  return isPlain &&
    !/\{%/.test(template) &&
    !/\{\{/.test(template.replaceAll(/\{\{-?\s*[\w.]+\s*-?\}\}/g, ""))
    ? text
    : undefined;
}

/** Whether all of it could be expressed. */
function addAssertion(
  assertion: Fields,
  given: string,
  expectation: Expectation,
  vars: Fields,
): boolean {
  const not = given.startsWith("not-");
  const type = given.replace(/^not-/, "");
  const others = Object.keys(assertion).filter((name) => !PLAIN.has(name));
  if (assertion["weight"] === 0) return false;
  const value = filledValue(assertion["value"], vars);
  if (value === null) return false;
  const hasOnly = (...names: readonly string[]) => others.every((name) => names.includes(name));
  const { threshold } = assertion;
  switch (type) {
    case "cost":
    case "latency":
      if (not || typeof threshold !== "number") return false;
      expectation.limit(type === "cost" ? "maxCost" : "maxTimeMs", threshold);
      return hasOnly("threshold");
    case "skill-used":
    case "tool-used":
    case "trajectory:tool-used":
      return hasOnly("value") && addUsed(type, value, not, expectation);
    case "llm-rubric":
    case "g-eval": {
      const texts = textsOf({ value }, "value");
      if (!not) expectation.statements.push(...texts);
      return !not && texts.length > 0 && hasOnly("value");
    }
    default:
      return hasOnly("value") && addText(type, value, not, expectation);
  }
}

/** Variables in values are filled in as well. Null: that cannot be done. */
function filledValue(value: unknown, vars: Fields): unknown {
  if (Array.isArray(value)) {
    const all = value.map((one: unknown) => filledValue(one, vars));
    return all.includes(null) ? null : all;
  }
  return typeof value === "string" ? (filled(value, vars) ?? null) : value;
}

function addUsed(type: string, value: unknown, not: boolean, expectation: Expectation): boolean {
  const one = isFields(value) ? value : { name: value };
  const names = textsOf(one, "name");
  const isPlain =
    names.length > 0 && Object.keys(one).length === 1 && names.every((name) => !/[*?]/.test(name));
  if (!isPlain) return false;
  if (type === "skill-used") expectation[not ? "avoid" : "use"](...names);
  else expectation[not ? "forbidden" : "required"].push(...names.map(ownTool));
  return true;
}

function addText(type: string, value: unknown, not: boolean, expectation: Expectation): boolean {
  const texts = textsOf({ value }, "value");
  const [first] = texts;
  const isOne = texts.length === 1 && typeof value === "string" && first !== undefined;
  switch (type) {
    case "contains":
    case "icontains":
      if (isOne) addTexts(expectation, texts, { not, ignoreCase: type === "icontains" });
      return isOne;
    case "contains-all":
    case "icontains-all":
      if (not || texts.length === 0) return false;
      addTexts(expectation, texts, { ignoreCase: type === "icontains-all" });
      return true;
    case "contains-any":
    case "icontains-any": {
      if (texts.length === 0) return false;
      const flags = type === "icontains-any" ? { flags: "i" } : {};
      addCheck(
        expectation,
        { type: "regex", pattern: texts.map(escapeRegex).join("|"), ...flags },
        not,
      );
      return true;
    }
    case "equals":
      if (isOne) addCheck(expectation, { type: "equals", value: first }, not);
      return isOne;
    case "starts-with":
      if (isOne) addCheck(expectation, { type: "regex", pattern: `^${escapeRegex(first)}` }, not);
      return isOne;
    case "regex":
      return isOne && addRegexes(expectation, [first], not);
    case "is-json":
    case "contains-json":
      if (typeof value === "string") return false;
      addCheck(expectation, { type: "json-schema", schema: isFields(value) ? value : true }, not);
      return true;
    default:
      return false;
  }
}
