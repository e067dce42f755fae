import { UsageError } from "./command.mjs";
import { FORMATS } from "./formats.mjs";
import { plainValue } from "./read-json.mjs";
import { patternOf, safeTest } from "./safe-test.mjs";
import { visible } from "./visible.mjs";

const TYPES = new Set(["null", "boolean", "object", "array", "number", "integer", "string"]);
/** Say something about a schema, ask nothing of a value. */
const SILENT = new Set(
  "$schema $id $comment $defs definitions title description default examples deprecated readOnly writeOnly".split(
    " ",
  ),
);
const MAX_DEPTH = 1200;

/** Checks a value against the documented part of JSON Schema 2020-12. The rest is named, never passed over. */
export function checkSchema(node, schema, findings, schemaName) {
  const unchecked = new Set();
  const state = { root: schema, schemaName, unchecked, active: new Map() };
  const problems = check(node, schema, "", state, 0);
  for (const { line, column, message } of problems) findings.error(line, column, message);
  for (const name of unchecked) {
    findings.warning(
      1,
      1,
      `not checked: ${visible(name)} in ${visible(schemaName)} is not supported`,
    );
  }
}

function check(node, schema, path, state, depth) {
  const where = `${state.schemaName}, at ${path === "" ? "its root" : path}`;
  if (schema === true) return [];
  if (schema === false) return [problem(node, "nothing is allowed here")];
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw new UsageError(`${where}: a schema is an object, true or false`);
  }
  if (depth > MAX_DEPTH) throw new UsageError(`${where}: too many levels`);
  const problems = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (SILENT.has(keyword)) continue;
    const known = KEYWORDS.get(keyword);
    if (known === undefined) {
      state.unchecked.add(keyword);
      continue;
    }
    const inner = (other, part, name) => check(other, part, `${path}/${name}`, state, depth + 1);
    problems.push(...known({ node, value, schema, state, where: `${where}/${keyword}`, inner }));
  }
  return problems;
}

const KEYWORDS = new Map([
  [
    "$ref",
    ({ node, value, state, where, inner }) => {
      const target = resolve(value, state, where);
      const active = state.active.get(target) ?? new Set();
      if (active.has(node)) throw new UsageError(`${where}: ${value} leads back to itself`);
      state.active.set(target, active.add(node));
      const problems = inner(node, target, "$ref");
      active.delete(node);
      return problems;
    },
  ],
  ["type", checkType],
  [
    "enum",
    ({ node, value, where }) => {
      needArray(value, where);
      if (value.some((one) => isEqual(plainValue(node), one))) return [];
      return [problem(node, `must be one of ${list(value)}`)];
    },
  ],
  [
    "const",
    ({ node, value }) =>
      isEqual(plainValue(node), value) ? [] : [problem(node, `must be ${show(value)}`)],
  ],
  [
    "properties",
    ({ node, value, inner }) =>
      entriesOf(node).flatMap((entry) =>
        Object.hasOwn(value, entry.key)
          ? inner(entry.node, value[entry.key], `properties/${entry.key}`)
          : [],
      ),
  ],
  [
    "patternProperties",
    ({ node, value, where, inner }) =>
      Object.entries(value).flatMap(([source, part]) => {
        const pattern = patternOf(source, where);
        return entriesOf(node).flatMap((entry) =>
          safeTest(pattern, entry.key)
            ? inner(entry.node, part, `patternProperties/${source}`)
            : [],
        );
      }),
  ],
  [
    "additionalProperties",
    ({ node, value, schema, where, inner }) => {
      const patterns = Object.keys(schema.patternProperties ?? {}).map((one) =>
        patternOf(one, where),
      );
      const more = entriesOf(node).filter(
        ({ key }) =>
          !Object.hasOwn(schema.properties ?? {}, key) &&
          !patterns.some((one) => safeTest(one, key)),
      );
      if (value === false) {
        return more.map((entry) =>
          problem(entry, `the key "${visible(entry.key)}" is not allowed`),
        );
      }
      return more.flatMap((entry) => inner(entry.node, value, "additionalProperties"));
    },
  ],
  [
    "propertyNames",
    ({ node, value, inner }) =>
      entriesOf(node).flatMap(({ key, line, column }) =>
        inner({ type: "string", value: key, line, column }, value, "propertyNames"),
      ),
  ],
  [
    "required",
    ({ node, value, where }) => {
      needArray(value, where);
      if (node.type !== "object") return [];
      const keys = new Set(node.entries.map(({ key }) => key));
      return value
        .filter((key) => !keys.has(key))
        .map((key) => problem(node, `the key "${visible(String(key))}" is missing`));
    },
  ],
  [
    "dependentRequired",
    ({ node, value }) => {
      const keys = new Set(entriesOf(node).map(({ key }) => key));
      return Object.entries(value).flatMap(([key, needed]) =>
        keys.has(key)
          ? needed
              .filter((one) => !keys.has(one))
              .map((one) =>
                problem(node, `with "${visible(key)}" the key "${visible(one)}" is missing`),
              )
          : [],
      );
    },
  ],
  [
    "minProperties",
    bound(
      "object",
      (node) => node.entries.length,
      (a, b) => a >= b,
      "at least",
      "keys",
    ),
  ],
  [
    "maxProperties",
    bound(
      "object",
      (node) => node.entries.length,
      (a, b) => a <= b,
      "at most",
      "keys",
    ),
  ],
  [
    "items",
    ({ node, value, schema, where, inner }) => {
      if (Array.isArray(value))
        throw new UsageError(`${where}: a list here is prefixItems since 2020-12`);
      return itemsOf(node)
        .slice(schema.prefixItems?.length ?? 0)
        .flatMap((item) => inner(item, value, "items"));
    },
  ],
  [
    "prefixItems",
    ({ node, value, where, inner }) => {
      needArray(value, where);
      return itemsOf(node)
        .slice(0, value.length)
        .flatMap((item, i) => inner(item, value[i], `prefixItems/${i}`));
    },
  ],
  [
    "contains",
    ({ node, value, schema, inner }) => {
      if (node.type !== "array") return [];
      const count = node.items.filter((item) => inner(item, value, "contains").length === 0).length;
      const { minContains: least = 1, maxContains: most = Infinity } = schema;
      if (count < least)
        return [problem(node, `${count} items are as wanted, at least ${least} must be`)];
      return count > most
        ? [problem(node, `${count} items are as described, at most ${most} may be`)]
        : [];
    },
  ],
  ["minContains", () => []],
  ["maxContains", () => []],
  [
    "minItems",
    bound(
      "array",
      (node) => node.items.length,
      (a, b) => a >= b,
      "at least",
      "items",
    ),
  ],
  [
    "maxItems",
    bound(
      "array",
      (node) => node.items.length,
      (a, b) => a <= b,
      "at most",
      "items",
    ),
  ],
  [
    "uniqueItems",
    ({ node, value }) => {
      const seen = new Set();
      if (value !== true) return [];
      return itemsOf(node).flatMap((item) => {
        const id = canonical(plainValue(item));
        if (!seen.has(id)) seen.add(id);
        else return [problem(item, `this item is repeated: ${show(plainValue(item))}`)];
        return [];
      });
    },
  ],
  [
    "minLength",
    bound(
      "string",
      ({ value }) => [...value].length,
      (a, b) => a >= b,
      "at least",
      "characters",
    ),
  ],
  [
    "maxLength",
    bound(
      "string",
      ({ value }) => [...value].length,
      (a, b) => a <= b,
      "at most",
      "characters",
    ),
  ],
  [
    "pattern",
    ({ node, value, where }) => {
      const pattern = patternOf(value, where);
      if (node.type !== "string" || safeTest(pattern, node.value)) return [];
      return [problem(node, `${show(node.value)} does not fit the pattern ${visible(value)}`)];
    },
  ],
  [
    "format",
    ({ node, value, state }) => {
      const isRight = FORMATS.get(value);
      if (isRight === undefined) state.unchecked.add(`format ${value}`);
      if (isRight === undefined || node.type !== "string" || isRight(node.value)) return [];
      return [problem(node, `${show(node.value)} is not a valid ${value}`)];
    },
  ],
  [
    "minimum",
    bound(
      "number",
      ({ value }) => value,
      (a, b) => a >= b,
      "at least",
      "",
    ),
  ],
  [
    "maximum",
    bound(
      "number",
      ({ value }) => value,
      (a, b) => a <= b,
      "at most",
      "",
    ),
  ],
  [
    "exclusiveMinimum",
    bound(
      "number",
      ({ value }) => value,
      (a, b) => a > b,
      "more than",
      "",
    ),
  ],
  [
    "exclusiveMaximum",
    bound(
      "number",
      ({ value }) => value,
      (a, b) => a < b,
      "less than",
      "",
    ),
  ],
  [
    "multipleOf",
    ({ node, value, where }) => {
      if (!(value > 0)) throw new UsageError(`${where}: must be a number above 0`);
      if (node.type !== "number") return [];
      const times = node.value / value;
      const isWhole = Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
      return isWhole ? [] : [problem(node, `${node.value} is not a multiple of ${value}`)];
    },
  ],
  [
    "allOf",
    ({ node, value, where, inner }) => {
      needArray(value, where);
      return value.flatMap((part, i) => inner(node, part, `allOf/${i}`));
    },
  ],
  [
    "anyOf",
    ({ node, value, where, inner }) => {
      needArray(value, where);
      const tried = value.map((part, i) => inner(node, part, `anyOf/${i}`));
      return tried.some((found) => found.length === 0)
        ? []
        : [problem(node, `fits none of ${value.length} alternatives${nearest(tried)}`)];
    },
  ],
  [
    "oneOf",
    ({ node, value, where, inner }) => {
      needArray(value, where);
      const tried = value.map((part, i) => inner(node, part, `oneOf/${i}`));
      const count = tried.filter((found) => found.length === 0).length;
      if (count === 1) return [];
      return [
        problem(
          node,
          count === 0
            ? `fits none of ${value.length} alternatives${nearest(tried)}`
            : `fits ${count} alternatives, exactly one is allowed`,
        ),
      ];
    },
  ],
  [
    "not",
    ({ node, value, inner }) =>
      inner(node, value, "not").length > 0 ? [] : [problem(node, "is what it must not be (not)")],
  ],
  [
    "if",
    ({ node, value, schema, inner }) => {
      const branch = inner(node, value, "if").length === 0 ? "then" : "else";
      return schema[branch] === undefined ? [] : inner(node, schema[branch], branch);
    },
  ],
  ["then", () => []],
  ["else", () => []],
]);

function checkType({ node, value, where }) {
  const types = Array.isArray(value) ? value : [value];
  for (const type of types) {
    if (!TYPES.has(type)) throw new UsageError(`${where}: ${show(type)} is not a type`);
  }
  const isRight = types.some(
    (type) => type === node.type || (type === "integer" && Number.isInteger(node.value)),
  );
  return isRight ? [] : [problem(node, `must be ${types.join(" or ")}, not ${node.type}`)];
}

function bound(type, measure, holds, words, unit) {
  return ({ node, value, where }) => {
    if (typeof value !== "number") throw new UsageError(`${where}: must be a number`);
    if (node.type !== type || holds(measure(node), value)) return [];
    const what =
      unit === "" ? `${measure(node)} must be` : `has ${measure(node)} ${unit}, must have`;
    return [problem(node, `${what} ${words} ${value}`)];
  };
}

/** Only inside of the same schema; nothing is fetched. */
function resolve(reference, { root }, where) {
  if (typeof reference !== "string" || !/^#(?:\/|$)/.test(reference)) {
    throw new UsageError(
      `${where}: only references within the file (#/$defs/…) are followed, not ${show(reference)}`,
    );
  }
  let found = root;
  for (const part of reference
    .slice(2)
    .split("/")
    .filter((_, i) => reference !== "#" || i > 0)) {
    const key = decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) {
      throw new UsageError(`${where}: there is no ${reference}`);
    }
    found = found[key];
  }
  return found;
}

function nearest(tried) {
  const [best] = tried.filter((found) => found.length > 0).sort((a, b) => a.length - b.length);
  const [first] = best ?? [];
  return first === undefined ? "" : `; the nearest fails in line ${first.line}: ${first.message}`;
}

function problem({ line, column }, message) {
  return { line, column, message };
}

function entriesOf(node) {
  return node.type === "object" ? node.entries : [];
}

function itemsOf(node) {
  return node.type === "array" ? node.items : [];
}

function needArray(value, where) {
  if (!Array.isArray(value)) throw new UsageError(`${where}: must be a list`);
}

function isEqual(a, b) {
  return canonical(a) === canonical(b);
}

function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}

function list(values) {
  return values.slice(0, 8).map(show).join(", ") + (values.length > 8 ? ", …" : "");
}

function show(value) {
  return visible(JSON.stringify(value) ?? String(value));
}
