import { parseToolRules } from "../format/tool-rules.ts";
import { cleanJson } from "./file-options.ts";
import { optionAt, type OptionPath, type OptionPlace, placeText } from "./options.ts";

export type Validated =
  | { readonly ok: true; readonly value: unknown; readonly doubts?: readonly Doubt[] }
  /** `path` is exact: it may lead into the option's value. */
  | { readonly ok: false; readonly path: string; readonly reason: string };

/** Something about a value that is used all the same. */
export interface Doubt {
  /** Leads into the option's value. */
  readonly path: string;
  readonly reason: string;
}

/** Checks one value. The reason never quotes it: it may be a secret in the wrong place. */
export function validateOption(place: OptionPlace, value: unknown): Validated {
  const { path, key } = place;
  const parsed = optionAt(path).kind.parse(key === undefined ? value : { [key]: value });
  if (!parsed.ok) {
    const within = parsed.path.slice(key === undefined ? 0 : 1);
    return { ok: false, path: [placeText(place), ...within].join("."), reason: parsed.reason };
  }
  const valid = key === undefined ? parsed.value : (parsed.value as Record<string, unknown>)[key];
  const doubts = unreadableRules(path, valid);
  return { ok: true, value: valid, ...(doubts.length > 0 && { doubts }) };
}

/**
 * Reads a value from a text, as the environment and `config set` give it: JSON if that is valid
 * here, else the text itself, else a list separated by commas.
 */
export function validateOptionText(place: OptionPlace, text: string): Validated {
  const results = textReadings(text).map((value) => validateOption(place, value));
  return results.find(({ ok }) => ok) ?? (results[0] as Validated);
}

/** What a text can stand for, the likeliest first. */
export function textReadings(text: string): readonly unknown[] {
  const list = text.split(",").map((item) => item.trim());
  return [parseJson(text) ?? text, text, list];
}

function parseJson(text: string): unknown {
  try {
    return cleanJson(JSON.parse(text)).value;
  } catch {
    return undefined;
  }
}

/** Where a rule restricts, a `*` may be anywhere in a tool's name. */
const NAME_PATTERN = /^(?=[^*]*\*)[\w*.-]+$/;

/**
 * Texts that are not rules. They stay in the list: without a rule that was mistyped, it would deny
 * less than was meant.
 */
export function unreadableRules(path: OptionPath, value: unknown): readonly Doubt[] {
  const { rules: effect } = optionAt(path);
  if (effect === undefined || !Array.isArray(value)) return [];
  const permits = effect === "permit";
  const then = permits ? "it allows nothing" : "what it may mean asks";
  return (value as readonly string[]).flatMap((text, i) =>
    isReadable(text, permits)
      ? []
      : [{ path: `${path}.${i}`, reason: `cannot be read as a rule; ${then}` }],
  );
}

function isReadable(text: string, permits: boolean): boolean {
  const { rules, unreadable } = parseToolRules(text);
  const strange = permits ? unreadable : unreadable.filter((one) => !NAME_PATTERN.test(one));
  return strange.length === 0 && rules.length + unreadable.length > 0;
}
