import { nearNames } from "../format/names.ts";
import { SkillwrightError } from "../skillwright-error.ts";

/** What an option must be: a type, or a test that names what is expected where it fails. */
type OptionKind =
  | "string"
  | "number"
  | "boolean"
  | "function"
  | "object"
  | "list"
  | "strings"
  | "any"
  | ((value: unknown) => string | undefined);

/** A kind for each option of an entry; a missing or surplus one does not compile. */
export type OptionKinds<Options> = Readonly<Record<keyof Required<Options>, OptionKind>>;

/** The kind of an option that is one of a few words. */
export function oneOf(...words: readonly string[]): OptionKind {
  const quoted = words.map((word) => JSON.stringify(word));
  const expected = `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1) ?? ""}`;
  return (value) => (words.some((word) => word === value) ? undefined : expected);
}

const EXPECTED = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  function: "a function",
  object: "an object",
  list: "a list",
  strings: "a list of strings",
} as const;

/**
 * Throws for options that a public entry does not know or of the wrong type: a misspelt one would
 * otherwise be ignored in silence. `undefined` stands for an option that is not given.
 */
export function checkOptions<Options extends object>(
  entry: string,
  options: Options,
  kinds: OptionKinds<Options>,
  required: readonly (keyof Options & string)[] = [],
): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    const example = Object.keys(kinds)[0] ?? "…";
    fail(
      `${entry}: the options must be an object such as { ${example}: … }, got ${nameOf(options)}`,
    );
  }
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (!Object.hasOwn(kinds, name)) {
      const near = nearest(name, Object.keys(kinds));
      const hint =
        near === undefined
          ? `there are ${Object.keys(kinds).join(", ")}`
          : `did you mean "${near}"?`;
      fail(`${entry}: there is no "${name}"; ${hint}`);
    }
    if (value === undefined) continue;
    const expected = expectation(value, kinds[name as keyof Options]);
    if (expected === undefined) continue;
    fail(`${entry}: "${name}" must be ${expected}, got ${nameOf(value)}`);
  }
  const missing = required.find((name) => options[name] === undefined);
  if (missing !== undefined) fail(`${entry}: "${missing}" is required`);
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const [near] = nearNames(name, known, 1);
  const begins = (a: string, b: string) => a.toLowerCase().startsWith(b.toLowerCase());
  return near ?? known.find((one) => begins(one, name) || begins(name, one));
}

/** What was expected instead; undefined for a value of the kind. */
function expectation(value: unknown, kind: OptionKind): string | undefined {
  if (typeof kind === "function") return kind(value);
  if (kind === "any" || isOfKind(value, kind)) return undefined;
  return EXPECTED[kind];
}

function isOfKind(value: unknown, kind: keyof typeof EXPECTED): boolean {
  switch (kind) {
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "list":
      return Array.isArray(value);
    case "strings":
      return Array.isArray(value) && value.every((one) => typeof one === "string");
    case "number":
      return typeof value === "number" && !Number.isNaN(value);
    default:
      return typeof value === kind;
  }
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "string") return JSON.stringify(value.slice(0, 60));
  if (typeof value === "function") return "a function";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  const { name } = (Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null)
    ?.constructor ?? { name: "" };
  return name === undefined || name === "" || name === "Object" ? "an object" : `a ${name}`;
}

function fail(message: string): never {
  throw new SkillwrightError("option-invalid", message);
}

type Defined<T extends object> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & { [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined> };

/** A copy without the properties that are undefined, as `exactOptionalPropertyTypes` wants them. */
export function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}

const MARKER = Symbol.for("skillwright.host-errors");

type Marked = typeof globalThis & { [MARKER]?: WeakSet<object> };

/**
 * Marks what code of the host threw in order to stop its own work, such as an interrupt of its framework.
 * It passes through every tool as it is, while other errors become results.
 */
export function markHostError(error: unknown): void {
  if (typeof error === "object" && error !== null) marked().add(error);
}

export function isHostError(error: unknown): boolean {
  return typeof error === "object" && error !== null && marked().has(error);
}

/** One for all copies of this package. */
function marked(): WeakSet<object> {
  return ((globalThis as Marked)[MARKER] ??= new WeakSet());
}
