import type * as z from "zod/mini";
import { cleanJson } from "./layers/file-options.ts";
import { type OptionPlace, placeText } from "./option-path.ts";
import { optionSchemas } from "./schema.ts";
import { type Doubt, unreadableRules } from "./unreadable-rules.ts";

export type Validated =
  | { readonly ok: true; readonly value: unknown; readonly doubts?: readonly Doubt[] }
  /** `path` is exact: it may lead into the option's value. */
  | { readonly ok: false; readonly path: string; readonly reason: string };

/** Checks one value. The reason never quotes it, for it may be a secret in the wrong place. */
export function validateOption(place: OptionPlace, value: unknown): Validated {
  const { path, key } = place;
  const schema: z.ZodMiniType = optionSchemas[path].schema;
  const result = schema.safeParse(key === undefined ? value : { [key]: value });
  if (result.success) {
    const parsed = result.data;
    const doubts = unreadableRules(path, parsed);
    return {
      ok: true,
      value: key === undefined ? parsed : (parsed as Record<string, unknown>)[key],
      ...(doubts.length === 0 ? undefined : { doubts }),
    };
  }
  const [issue] = result.error.issues;
  const within = (issue?.path ?? []).slice(key === undefined ? 0 : 1);
  return {
    ok: false,
    path: [placeText(place), ...within.map(String)].join("."),
    reason: issue === undefined ? "is not valid" : explain(issue),
  };
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

const EXPECTED: Readonly<Record<string, string>> = {
  boolean: "must be true or false",
  int: "must be a whole number",
  number: "must be a whole number",
  string: "must be a text",
  array: "must be a list of texts",
  record: "must be an object",
};

function tooBig({ origin, maximum }: z.core.$ZodIssueTooBig): string {
  if (origin === "string") return `must have at most ${maximum} characters`;
  return origin === "array" ? `must have at most ${maximum} entries` : `must be at most ${maximum}`;
}

function explain(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "unrecognized_keys":
    case "invalid_key":
      return "has entries that it must not have";
    case "invalid_type":
      // What a schema says itself knows better.
      if (!issue.message.startsWith("Invalid")) return issue.message;
      return EXPECTED[issue.expected] ?? `must be of type ${issue.expected}`;
    case "invalid_value":
      return `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_small":
      return issue.origin === "string" ? "must not be empty" : `must be at least ${issue.minimum}`;
    case "too_big":
      return tooBig(issue);
    case "invalid_format":
      return issue.message;
    case "invalid_union":
      return issue.message.startsWith("Invalid") ? "is not valid" : issue.message;
    default:
      return "is not valid";
  }
}
