import type { JsonSchema } from "./skill-tool.ts";

export type Coerced =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly expected: string };

/** A value as its schema wants it, where it is obvious what was meant. */
export function coerceValue(value: unknown, schema: JsonSchema): Coerced {
  switch (schema["type"]) {
    case "string":
      return coerceText(value);
    case "integer":
    case "number":
      return coerceNumber(value, schema);
    case "boolean":
      return coerceBoolean(value);
    case "array":
      return coerceList(value, schema["items"]);
    default:
      return { ok: true, value };
  }
}

/** How a schema is told to a model: "an integer from 1 on". */
export function expectationOf(schema: JsonSchema): string {
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

function coerceText(value: unknown): Coerced {
  if (typeof value === "string") return { ok: true, value };
  const isPlain = typeof value === "boolean" || (typeof value === "number" && isFinite(value));
  return isPlain ? { ok: true, value: String(value) } : { ok: false, expected: "a string" };
}

function coerceNumber(value: unknown, schema: JsonSchema): Coerced {
  const failed: Coerced = { ok: false, expected: expectationOf(schema) };
  const { type, minimum, maximum } = schema;
  const isWritten = typeof value === "string" && /^\s*[+-]?\d+(?:\.\d+)?\s*$/.test(value);
  const number = isWritten ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return failed;
  if (type === "integer" && !Number.isSafeInteger(number)) return failed;
  if (typeof minimum === "number" && number < minimum) return failed;
  return { ok: true, value: typeof maximum === "number" ? Math.min(number, maximum) : number };
}

function coerceBoolean(value: unknown): Coerced {
  if (typeof value === "boolean") return { ok: true, value };
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (word === "true" || word === "false") return { ok: true, value: word === "true" };
  return { ok: false, expected: "true or false" };
}

/** One value stands for a list of it; a list may also come as its JSON text. */
function coerceList(value: unknown, items: unknown): Coerced {
  const schema = isSchema(items) ? items : {};
  const list = Array.isArray(value) ? (value as unknown[]) : (listFromText(value) ?? [value]);
  const values: unknown[] = [];
  for (const element of list) {
    const coerced = coerceValue(element, schema);
    if (!coerced.ok) return { ok: false, expected: expectationOf({ type: "array", items }) };
    values.push(coerced.value);
  }
  return { ok: true, value: values };
}

function listFromText(value: unknown): unknown[] | undefined {
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
