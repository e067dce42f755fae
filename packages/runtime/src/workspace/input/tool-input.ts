import type { Failure, InputSchema } from "@skillwright/core";
import { quoteName } from "@skillwright/core/internal";

interface CommonParameter {
  readonly description: string;
  readonly optional?: true;
  /** May hold secrets or much text, so that logs only say how much there was. */
  readonly private?: true;
  /** Other words that models use for it. */
  readonly otherNames?: readonly string[];
  /** An empty text is a value like any other. */
  readonly mayBeEmpty?: true;
}

type Parameter =
  | (CommonParameter & { readonly type: "string" | "boolean" | "strings" | "words" })
  | (CommonParameter & {
      readonly type: "integer";
      readonly minimum: number;
      /** What is above is taken for this. */
      readonly maximum?: number;
    });

export type Parameters = Readonly<Record<string, Parameter>>;

interface TypeOf {
  readonly string: string;
  readonly boolean: boolean;
  readonly integer: number;
  readonly strings: readonly string[];
  /** Asked for as text; a list is taken too. */
  readonly words: string | readonly string[];
}

/** What a tool gets when its parameters are defined so. */
export type ParameterValues<P extends Parameters> = {
  readonly [K in keyof P]:
    | TypeOf[P[K]["type"]]
    | (P[K] extends { readonly optional: true } ? undefined : never);
};

export function toInputSchema(parameters: Parameters): InputSchema {
  const entries = Object.entries(parameters);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, one]) => [name, toJsonSchema(one)])),
    required: entries.filter(([, { optional }]) => optional !== true).map(([name]) => name),
    additionalProperties: false,
  };
}

function toJsonSchema(parameter: Parameter): Readonly<Record<string, unknown>> {
  const { type, description } = parameter;
  if (type === "strings") return { type: "array", items: { type: "string" }, description };
  if (type === "words") return { type: "string", description };
  if (type !== "integer") return { type, description };
  const { minimum, maximum } = parameter;
  return { type, minimum, ...(maximum !== undefined && { maximum }), description };
}

/** A value as its parameter wants it, where it is obvious what was meant; otherwise undefined. */
function coerceParameter(value: unknown, parameter: Parameter): unknown {
  switch (parameter.type) {
    case "string":
      return coerceText(value);
    case "boolean":
      return coerceBoolean(value);
    case "strings":
      return coerceTexts(value);
    case "words":
      return Array.isArray(value) || listFromText(value) ? coerceTexts(value) : coerceText(value);
    default:
      return coerceInteger(value, parameter.minimum, parameter.maximum);
  }
}

/** How a parameter is told to a model: "an integer from 1 on". */
function expectationOf(parameter: Parameter): string {
  switch (parameter.type) {
    case "string":
    case "words":
      return "a string";
    case "boolean":
      return "true or false";
    case "strings":
      return "a list of strings";
    default:
      return `an integer from ${parameter.minimum} on`;
  }
}

function coerceText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  const isPlain = typeof value === "boolean" || (typeof value === "number" && isFinite(value));
  return isPlain ? String(value) : undefined;
}

function coerceBoolean(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  return word === "true" ? true : word === "false" ? false : undefined;
}

function coerceInteger(value: unknown, minimum: number, maximum = Infinity): number | undefined {
  const isWritten = typeof value === "string" && /^\s*\+?\d{1,15}\s*$/.test(value);
  const number = isWritten ? Number(value) : value;
  if (typeof number !== "number" || !Number.isSafeInteger(number)) return undefined;
  return number < minimum ? undefined : Math.min(number, maximum);
}

/** One value stands for a list of it; a list may also come as its JSON text. */
function coerceTexts(value: unknown): readonly string[] | undefined {
  const list: unknown[] = Array.isArray(value) ? value : (listFromText(value) ?? [value]);
  const texts = list.map(coerceText);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function listFromText(value: unknown): unknown[] | undefined {
  if (typeof value !== "string" || !value.trimStart().startsWith("[")) return undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

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

/** How every tool takes the path of a file or folder. */
export function pathParameter(description: string) {
  return {
    type: "string",
    description,
    otherNames: ["file_path", "file", "filename", "relative_path", "directory", "dir", "folder"],
  } as const;
}
