/** Reads parameters by name, in any case and with or without underscores. */
export interface CallInput {
  /** All texts given under any of the names; a list counts as its texts, a number as one. */
  texts(names: readonly string[]): readonly string[];
  /** All values given under any of the names. */
  values(names: readonly string[]): readonly unknown[];
  /** Not an object, or not readable as one. */
  readonly unreadable: boolean;
}

export function readCallInput(input: unknown): CallInput {
  const object = asObject(input);
  const entries = Object.entries(object ?? {}).map(
    ([key, value]) => [key.toLowerCase().replace(/[_-]/g, ""), value as unknown] as const,
  );
  const values = (names: readonly string[]) =>
    entries
      .filter(([key, value]) => names.includes(key) && value !== undefined && value !== null)
      .map(([, value]) => value);
  return {
    texts: (names) => values(names).flat().flatMap(asText),
    values,
    unreadable: object === undefined,
  };
}

function asText(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "number" || typeof value === "boolean" ? [String(value)] : [];
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
