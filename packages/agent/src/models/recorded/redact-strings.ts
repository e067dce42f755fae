/** A copy in which every text, also in names, went through `redact`. */
export function redactStrings<Value>(value: Value, redact: (text: string) => string): Value {
  return redacted(value, redact) as Value;
}

function redacted(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item: unknown) => redacted(item, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [redact(name), redacted(item, redact)]),
  );
}
