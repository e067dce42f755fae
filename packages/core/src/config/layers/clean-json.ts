import { isPrototypeKey } from "../../format/yaml/prototype-keys.ts";

const MAX_DEPTH = 64;

export interface CleanedJson {
  readonly value: unknown;
  /** What was left out: a path below the value, and why. */
  readonly dropped: readonly { readonly path: readonly string[]; readonly reason: string }[];
}

/** A copy of parsed JSON that careless code can merge: no keys of `Object.prototype`, no abyss. */
export function cleanJson(value: unknown): CleanedJson {
  const dropped: { path: readonly string[]; reason: string }[] = [];
  const copy = (value: unknown, path: readonly string[]): unknown => {
    if (typeof value !== "object" || value === null) return value;
    if (path.length >= MAX_DEPTH) {
      dropped.push({ path, reason: `is nested deeper than ${MAX_DEPTH} levels` });
      return undefined;
    }
    if (Array.isArray(value)) {
      return value.map((item: unknown, index) => copy(item, [...path, String(index)]));
    }
    const kept: [string, unknown][] = [];
    for (const [key, item] of Object.entries(value)) {
      if (isPrototypeKey(key)) {
        const reason = "is the name of a built-in property of objects and never an option";
        dropped.push({ path: [...path, key], reason });
      } else {
        kept.push([key, copy(item, [...path, key])]);
      }
    }
    return Object.fromEntries(kept);
  };
  return { value: copy(value, []), dropped };
}
