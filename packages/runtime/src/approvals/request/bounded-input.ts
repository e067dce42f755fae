import { canonicalJson } from "@skillwright/core/internal";
import type { JsonValue } from "../frozen-json.ts";
import { cutMiddle } from "../text/show-lines.ts";

const MAX_CHARACTERS = 8000;
const MAX_TEXT = 200;

/** An input as it is kept and shown: whole, or with its long texts shortened. */
export function boundedInput(input: JsonValue): {
  readonly input: JsonValue;
  readonly isCut: boolean;
} {
  const text = canonicalJson(input);
  if (text.length <= MAX_CHARACTERS) return { input, isCut: false };
  const short = shortened(input);
  const isFitting = canonicalJson(short).length <= MAX_CHARACTERS;
  return { input: isFitting ? short : cutMiddle(text, MAX_CHARACTERS / 2), isCut: true };
}

function shortened(value: JsonValue): JsonValue {
  if (typeof value === "string") return cutMiddle(value, MAX_TEXT);
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) return value.map(shortened);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shortened(item)]));
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
