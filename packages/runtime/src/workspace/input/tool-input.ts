import type { Failure } from "@skillwright/core";
import { quoteName } from "@skillwright/core/internal";
import { coerceParameter, expectationOf } from "./coerce-parameter.ts";
import type { Parameter, Parameters, ParameterValues } from "./parameter.ts";

export type ToolInput<P extends Parameters> =
  | { readonly ok: true; readonly values: ParameterValues<P> }
  | Failure<"input-invalid">;

/**
 * The parameters of a call, given as an object or as JSON text. Names are matched without regard to
 * case, `_` and `-`; unknown ones are left out. Only own properties count. Never throws.
 */
export function readToolInput<P extends Parameters>(input: unknown, parameters: P): ToolInput<P> {
  const read = readSafely(input, parameters);
  if (typeof read !== "string") return { ok: true, values: read as ParameterValues<P> };
  return { ok: false, code: "input-invalid", message: read, hint: hintFor(parameters) };
}

function readSafely(input: unknown, parameters: Parameters): Record<string, unknown> | string {
  try {
    const object = toObject(input);
    return typeof object === "string" ? object : readObject(object, parameters);
  } catch {
    // A getter or a proxy of a host; a model cannot send one.
    return "the parameters cannot be read";
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
      const reason = error instanceof Error ? error.message : "unknown reason";
      return `the parameters are not valid JSON (${reason.slice(0, 200)})`;
    }
  }
  const isObject = typeof value === "object" && !Array.isArray(value);
  if (!isObject) return `the parameters must be a JSON object, got ${describe(value)}`;
  return value as Readonly<Record<string, unknown>>;
}

/** The values, or what is wrong with one. */
function readObject(
  object: Readonly<Record<string, unknown>>,
  parameters: Parameters,
): Record<string, unknown> | string {
  const values: Record<string, unknown> = {};
  const keys = Object.keys(object);
  const meant = new Set(Object.keys(parameters).map(fold));
  for (const [name, parameter] of Object.entries(parameters)) {
    const key = keyFor(name, parameter, keys, meant);
    const value = key === undefined ? undefined : object[key];
    if (value === undefined || value === null) {
      if (parameter.optional === true) continue;
      const others = keys.slice(0, 5).map(quote).join(", ");
      const there = others === "" ? "" : ` (there is ${others})`;
      return `the parameter "${name}" is missing${there}; expected ${expectationOf(parameter)}`;
    }
    const coerced = coerceParameter(value, parameter);
    if (coerced === undefined) {
      return `the parameter "${name}" must be ${expectationOf(parameter)}, got ${describe(value)}`;
    }
    const isEmpty = coerced === "" && parameter.mayBeEmpty !== true;
    if (isEmpty && parameter.optional === true) continue;
    if (isEmpty) return `the parameter "${name}" must not be empty`;
    values[name] = coerced;
  }
  return values;
}

/** The exact name first, then any spelling of it, then another word that nothing else is meant by. */
function keyFor(
  name: string,
  { otherNames = [] }: Parameter,
  keys: readonly string[],
  meant: ReadonlySet<string>,
): string | undefined {
  if (keys.includes(name)) return name;
  const spelt = keys.find((key) => fold(key) === fold(name));
  if (spelt !== undefined) return spelt;
  const words = new Set(otherNames.map(fold).filter((word) => !meant.has(word)));
  return keys.find((key) => words.has(fold(key)));
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[_\-\s]/g, "");
}

function hintFor(parameters: Parameters): string {
  const parts = Object.entries(parameters).map(
    ([name, one]) =>
      `"${name}"${one.optional === true ? " (optional)" : ""}: ${expectationOf(one)}`,
  );
  return `Give a JSON object with ${parts.join(", ")}.`;
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "string") return quote(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "object" ? "an object" : `a value of type ${typeof value}`;
}

function quote(text: string): string {
  return quoteName(text, 60);
}
