export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The names in a text. */
export function wordList(text: string): readonly string[] {
  return text.split(/\s+/);
}

/** The first of these fields that is there. */
export function fieldOf(fields: Fields, names: readonly string[]): unknown {
  const name = names.find((one) => Object.hasOwn(fields, one) && fields[one] !== undefined);
  return name === undefined ? undefined : fields[name];
}

/** The first of these fields that is a text with something in it. */
export function textOf(fields: Fields, ...names: readonly string[]): string | undefined {
  const texts = names.map((name) => (Object.hasOwn(fields, name) ? fields[name] : undefined));
  return texts.find((text): text is string => typeof text === "string" && text.trim() !== "");
}

export function fieldsOf(fields: Fields, ...names: readonly string[]): Fields {
  const value = fieldOf(fields, names);
  return isFields(value) ? value : {};
}

export function listOf(fields: Fields, ...names: readonly string[]): readonly unknown[] {
  const value = fieldOf(fields, names);
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** The texts of a list, or one that stands alone. */
export function textsOf(fields: Fields, ...names: readonly string[]): readonly string[] {
  const value = fieldOf(fields, names);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.filter((text): text is string => typeof text === "string" && text !== "");
}

/** A text or a number, as an id may be. */
export function idOf(fields: Fields, ...names: readonly string[]): string | undefined {
  const value = fieldOf(fields, names);
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

const DURATION = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/;
const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of `90`, which are seconds, `"500ms"`, `"2m"`. */
export function durationOf(value: unknown): number | undefined {
  const [, amount, unit = "s"] = DURATION.exec(String(value).trim()) ?? [];
  if (amount === undefined || !(unit in UNITS)) return undefined;
  const milliseconds = Number(amount) * UNITS[unit as keyof typeof UNITS];
  return milliseconds > 0 && milliseconds <= 86_400_000 ? Math.ceil(milliseconds) : undefined;
}

const REMARK =
  /^(?:[_$].*|.*(?:notes?|comments?|rationale|reason|description|category|source|metadata|author)|why|summary|difficulty|priority|severity|version|license|language|created.*|updated.*|group|split|domain|topic|weight)$/i;

/** Whether a field is a remark, which changes nothing about what is checked. */
export function isRemark(name: string): boolean {
  return REMARK.test(name);
}
