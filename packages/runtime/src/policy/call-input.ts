/** Reads parameters by name, in any case and with or without underscores. */
export interface CallInput {
  /** All texts given under any of the names; a list counts as its texts. */
  texts(names: readonly string[]): readonly string[];
  /** The first value given under one of the names. */
  value(names: readonly string[]): unknown;
  /** Not an object, or not readable as one. */
  readonly unreadable: boolean;
}

export function readCallInput(input: unknown): CallInput {
  const object = asObject(input);
  const entries = Object.entries(object ?? {}).map(
    ([key, value]) => [key.toLowerCase().replace(/[_-]/g, ""), value] as const,
  );
  const values = (names: readonly string[]) =>
    entries.filter(([key]) => names.includes(key)).map(([, value]) => value);
  return {
    texts: (names) =>
      values(names)
        .flat()
        .filter((value) => typeof value === "string"),
    value: (names) => values(names)[0],
    unreadable: object === undefined,
  };
}

function asObject(input: unknown): object | undefined {
  const value = typeof input === "string" ? parseJson(input) : (input ?? {});
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
