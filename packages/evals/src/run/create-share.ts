/** Gives one and the same for all that are equal as JSON. */
export type Share = <Value>(value: Value) => Value;

const MOST = 4096;

export function createShare(): Share {
  const known = new Map<string, unknown>();
  return (value) => {
    const key = JSON.stringify(value);
    const same = known.get(key);
    if (same !== undefined) return same as typeof value;
    // What comes once in thousands is not worth remembering.
    if (known.size >= MOST) known.clear();
    known.set(key, value);
    return value;
  };
}
