import { isObject } from "../internal/json.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** Reasons never quote the value, which may be a secret in the wrong place. */
type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly path: readonly string[]; readonly reason: string };

/** A type of values: how they are checked, and their JSON schema. */
export interface Kind<T> {
  readonly parse: (value: unknown) => Parsed<T>;
  readonly schema: JsonSchema;
}

type ValueOf<K> = K extends Kind<infer T> ? T : never;

export const flag: Kind<boolean> = {
  parse: (value) => (typeof value === "boolean" ? valid(value) : invalid("must be true or false")),
  schema: { type: "boolean" },
};

export const anything: Kind<unknown> = { parse: valid, schema: {} };

export function integer(minimum: number, maximum: number): Kind<number> {
  return {
    parse(value) {
      if (!Number.isSafeInteger(value)) return invalid("must be a whole number");
      if ((value as number) < minimum) return invalid(`must be at least ${minimum}`);
      if ((value as number) > maximum) return invalid(`must be at most ${maximum}`);
      return valid(value as number);
    },
    schema: { type: "integer", minimum, maximum },
  };
}

export const dollars: Kind<number> = {
  parse(value) {
    if (!Number.isFinite(value)) return invalid("must be a number of dollars");
    return (value as number) < 0 ? invalid("must be at least 0") : valid(value as number);
  },
  schema: { type: "number", minimum: 0 },
};

interface TextLimits {
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: RegExp;
  /** What a text that does not match the pattern must be. */
  readonly expected?: string;
}

export function text(limits: TextLimits = { minLength: 1 }): Kind<string> {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, expected = "" } = limits;
  return {
    parse(value) {
      if (typeof value !== "string") return invalid("must be a text");
      if (value.length < minLength) return invalid("must not be empty");
      if (value.length > maxLength) return invalid(`must have at most ${maxLength} characters`);
      return pattern?.test(value) === false ? invalid(expected) : valid(value);
    },
    schema: {
      type: "string",
      ...(limits.minLength !== undefined && { minLength }),
      ...(limits.maxLength !== undefined && { maxLength }),
      ...(pattern && { pattern: pattern.source }),
    },
  };
}

export function oneOf<const Name extends string>(...names: readonly Name[]): Kind<Name> {
  return {
    parse: (value) =>
      names.includes(value as Name)
        ? valid(value as Name)
        : invalid(`must be one of ${names.join(", ")}`),
    schema: { type: "string", enum: names },
  };
}

export function list<T>(item: Kind<T>, maxItems?: number): Kind<readonly T[]> {
  return {
    parse(value) {
      if (!Array.isArray(value)) return invalid("must be a list of texts");
      if (maxItems !== undefined && value.length > maxItems) {
        return invalid(`must have at most ${maxItems} entries`);
      }
      const parsed = parseAll(value.entries(), () => item);
      return parsed.ok ? valid(parsed.value.map(([, one]) => one)) : parsed;
    },
    schema: { ...(maxItems !== undefined && { maxItems }), type: "array", items: item.schema },
  };
}

export function record<T>(item: Kind<T>): Kind<Readonly<Record<string, T>>> {
  return {
    parse: (value) => parseRecord(value, () => item),
    schema: {
      type: "object",
      propertyNames: { type: "string" },
      additionalProperties: item.schema,
    },
  };
}

/** A record that has no other keys than these. */
export function recordOf<const Key extends string, T>(
  keys: readonly Key[],
  item: Kind<T>,
): Kind<{ readonly [K in Key]?: T }> {
  return {
    parse: (value) =>
      parseRecord(value, (key) => (keys.includes(key as Key) ? item : undefined)) as Parsed<{
        readonly [K in Key]?: T;
      }>,
    schema: {
      type: "object",
      propertyNames: { type: "string", enum: keys },
      additionalProperties: item.schema,
    },
  };
}

type Shape = Readonly<Record<string, Kind<unknown>>>;
type Required<S extends Shape> = { readonly [K in keyof S]: ValueOf<S[K]> };
type Optional<S extends Shape> = { readonly [K in keyof S]?: ValueOf<S[K]> | undefined };

export interface ObjectKind<T> extends Kind<T> {
  readonly keys: readonly string[];
}

/** An object whose other keys are dropped, or an error. */
export function object<R extends Shape, O extends Shape>(
  required: R,
  optional: O,
  others: "drop" | "refuse",
): ObjectKind<Required<R> & Optional<O>> {
  const shape: Shape = { ...required, ...optional };
  const needed = Object.keys(required);
  return {
    keys: Object.keys(shape),
    parse(value) {
      if (!isObject(value)) return invalid("must be an object");
      const isKnown = (key: string) => Object.hasOwn(shape, key);
      const given = { ...Object.fromEntries(needed.map((key) => [key, undefined])), ...value };
      const known = Object.entries(given).filter(([key]) => isKnown(key));
      const parsed = parseAll(known, (key) => shape[key]);
      if (!parsed.ok) return parsed;
      if (others === "refuse" && known.length < Object.keys(given).length) return NOT_ALLOWED;
      return valid(Object.fromEntries(parsed.value) as Required<R> & Optional<O>);
    },
    schema: {
      type: "object",
      properties: Object.fromEntries(
        Object.entries(shape).map(([key, kind]) => [key, kind.schema]),
      ),
      ...(needed.length > 0 && { required: needed }),
      additionalProperties: false,
    },
  };
}

export function either<A, B>(a: Kind<A>, b: Kind<B>, expected: string): Kind<A | B> {
  return {
    parse(value) {
      const parsed = [a.parse(value), b.parse(value)].find(({ ok }) => ok);
      return parsed ?? invalid(expected);
    },
    schema: { anyOf: [a.schema, b.schema] },
  };
}

function valid<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

type Invalid = Extract<Parsed<never>, { ok: false }>;

function invalid(reason: string): Invalid {
  return { ok: false, path: [], reason };
}

const NOT_ALLOWED = invalid("has entries that it must not have");

function parseRecord<T>(
  value: unknown,
  kindOf: (key: string) => Kind<T> | undefined,
): Parsed<Record<string, T>> {
  if (!isObject(value)) return invalid("must be an object");
  const parsed = parseAll(Object.entries(value), kindOf);
  return parsed.ok ? valid(Object.fromEntries(parsed.value)) : parsed;
}

/** Parses each entry with the kind of its key. A key without a kind is refused. */
function parseAll<T>(
  entries: Iterable<[string | number, unknown]>,
  kindOf: (key: string) => Kind<T> | undefined,
): Parsed<[string, T][]> {
  const values: [string, T][] = [];
  for (const [index, value] of entries) {
    const key = String(index);
    const parsed = kindOf(key)?.parse(value) ?? NOT_ALLOWED;
    if (!parsed.ok) return { ...parsed, path: [key, ...parsed.path] };
    values.push([key, parsed.value]);
  }
  return valid(values);
}
