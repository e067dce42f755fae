import type { Failure } from "../failure.ts";
import { quoteName } from "../internal/text.ts";
import type { InputSchema, JsonSchema } from "./skill-tool.ts";

const UNFIT = Symbol("unfit");

/** A value as its schema wants it, where it is obvious what was meant; else `UNFIT`. */
function coerced(value: unknown, schema: JsonSchema): unknown {
  switch (schema["type"]) {
    case "string":
      if (typeof value === "boolean" || Number.isFinite(value)) return String(value);
      return typeof value === "string" ? value : UNFIT;
    case "integer":
    case "number":
      return coercedNumber(value, schema);
    case "boolean": {
      const word = typeof value === "string" ? value.trim().toLowerCase() : value;
      if (word === true || word === "true") return true;
      return word === false || word === "false" ? false : UNFIT;
    }
    case "array": {
      // One value stands for a list of it; a list may also come as its JSON text.
      const items = isSchema(schema["items"]) ? schema["items"] : {};
      const values = (listFromText(value) ?? [value]).map((one) => coerced(one, items));
      return values.includes(UNFIT) ? UNFIT : values;
    }
    default:
      return value;
  }
}

function coercedNumber(value: unknown, { type, minimum, maximum }: JsonSchema): unknown {
  const isWritten = typeof value === "string" && /^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(value);
  const number = isWritten ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return UNFIT;
  if (type === "integer" && !Number.isSafeInteger(number)) return UNFIT;
  if (typeof minimum === "number" && number < minimum) return UNFIT;
  return typeof maximum === "number" ? Math.min(number, maximum) : number;
}

/** How a schema is told to a model: "an integer from 1 on". */
function expectationOf(schema: JsonSchema): string {
  const { type, items, minimum } = schema;
  switch (type) {
    case "string":
      return "a string";
    case "integer":
    case "number":
      return `${type === "integer" ? "an integer" : "a number"}${typeof minimum === "number" ? ` from ${minimum} on` : ""}`;
    case "boolean":
      return "true or false";
    case "array":
      return isSchema(items) && items["type"] === "string" ? "a list of strings" : "a list";
    default:
      return typeof type === "string" ? `a value of type ${type}` : "a value";
  }
}

/** A list, also as its JSON text. */
function listFromText(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value as unknown[];
  if (typeof value !== "string" || !value.trimStart().startsWith("[")) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? (parsed as unknown[]) : undefined;
  } catch {
    return undefined;
  }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null;
}

type ReadInput =
  | { readonly ok: true; readonly values: Readonly<Record<string, unknown>> }
  | Failure<"input-invalid">;

export interface InputRules {
  /** Other words that models use for a parameter. */
  readonly otherNames: Readonly<Record<string, readonly string[]>>;
  /**
   * Parameters for which an empty text is a value; for others it is refused, or left out where they
   * are optional. Without this it is refused for required ones only.
   */
  readonly mayBeEmpty?: ReadonlySet<string>;
  /** Texts that are also taken as a list of texts. */
  readonly mayBeList?: ReadonlySet<string>;
}

const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  skill_name: ["skill", "name"],
  file_path: ["path", "file", "relative_path"],
  relative_path: ["path", "file", "file_path"],
  script_file: ["script", "script_name", "file"],
  script_name: ["script", "script_file", "file"],
  directory: ["path", "dir", "folder"],
  args: ["arguments"],
  n: ["limit", "count"],
};

/**
 * The parameters of a call, given as an object or as JSON text. Names are matched without regard to
 * case, `_` and `-`; unknown ones are left out. Only own properties count. Never throws.
 */
export function readInput(
  input: unknown,
  schema: InputSchema,
  rules: InputRules = { otherNames: OTHER_NAMES },
): ReadInput {
  try {
    const object = toObject(input);
    if (typeof object === "string") return invalid(object, schema);
    return readObject(object, schema, rules);
  } catch {
    // A getter or a proxy of a host; a model cannot send one.
    return invalid("the parameters cannot be read", schema);
  }
}

/** The object, or what is wrong with it. */
function toObject(input: unknown): Readonly<Record<string, unknown>> | string {
  let value = input ?? {};
  // Some models write JSON into a string of JSON.
  for (let i = 0; i < 2 && typeof value === "string"; i++) {
    if (value.trim() === "") return {};
    try {
      value = (JSON.parse(value) as unknown) ?? {};
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return `the parameters are not valid JSON (${reason.slice(0, 200)})`;
    }
  }
  if (typeof value !== "object" || Array.isArray(value)) {
    return `the parameters must be a JSON object, got ${describe(value)}`;
  }
  return value as Readonly<Record<string, unknown>>;
}

function readObject(
  object: Readonly<Record<string, unknown>>,
  schema: InputSchema,
  { otherNames, mayBeEmpty, mayBeList }: InputRules,
): ReadInput {
  const values: Record<string, unknown> = {};
  const given = new Map<string, string>();
  const keys = Object.keys(object);
  for (const key of keys) if (!given.has(fold(key))) given.set(fold(key), key);
  const required = new Set(schema.required);
  const parameters = Object.entries(schema.properties);
  const taken = new Set(parameters.flatMap(([name]) => given.get(fold(name)) ?? []));
  for (const [name, property] of parameters) {
    const words = Object.hasOwn(otherNames, name) ? (otherNames[name] ?? []) : [];
    const key = keyFor(name, words, { object, given, taken });
    const value = key === undefined ? undefined : object[key];
    if (value === undefined || value === null) {
      if (!required.has(name)) continue;
      const others =
        keys.length === 0 ? "" : ` (there is ${keys.slice(0, 5).map(quote).join(", ")})`;
      return invalid(
        `the parameter "${name}" is missing${others}; expected ${expectationOf(property)}`,
        schema,
      );
    }
    const isList = mayBeList?.has(name) === true && listFromText(value) !== undefined;
    const wanted = isList ? TEXTS : property;
    const read = coerced(value, wanted);
    if (read === UNFIT) {
      const message = `the parameter "${name}" must be ${expectationOf(wanted)}, got ${describe(value)}`;
      return invalid(message, schema);
    }
    if (read === "" && mayBeEmpty?.has(name) !== true) {
      if (mayBeEmpty !== undefined && !required.has(name)) continue;
      if (required.has(name)) return invalid(`the parameter "${name}" must not be empty`, schema);
    }
    values[name] = read;
  }
  return { ok: true, values };
}

const TEXTS: JsonSchema = { type: "array", items: { type: "string" } };

interface GivenNames {
  readonly object: Readonly<Record<string, unknown>>;
  /** By their folded names. */
  readonly given: ReadonlyMap<string, string>;
  /** Those that are another parameter's own. */
  readonly taken: ReadonlySet<string>;
}

/** The exact name first, then any spelling of it, then another word that nothing else is meant by. */
function keyFor(
  name: string,
  words: readonly string[],
  { object, given, taken }: GivenNames,
): string | undefined {
  if (Object.hasOwn(object, name)) return name;
  const spelt = given.get(fold(name));
  if (spelt !== undefined) return spelt;
  return words
    .map((word) => given.get(fold(word)))
    .find((key) => key !== undefined && !taken.has(key));
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[_\-\s]/g, "");
}

function invalid(message: string, { properties, required }: InputSchema): Failure<"input-invalid"> {
  const wanted = new Set(required);
  const parts = Object.entries(properties).map(
    ([name, schema]) =>
      `"${name}"${wanted.has(name) ? "" : " (optional)"}: ${expectationOf(schema)}`,
  );
  const hint =
    parts.length === 0 ? "It takes no parameters." : `Give a JSON object with ${parts.join(", ")}.`;
  return { ok: false, code: "input-invalid", message, hint };
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  switch (typeof value) {
    case "string":
      return quote(value);
    case "number":
    case "boolean":
    case "bigint":
      return String(value);
    case "object":
      return value === null ? "null" : "an object";
    default:
      return `a value of type ${typeof value}`;
  }
}

function quote(text: string): string {
  return quoteName(text, 60);
}
