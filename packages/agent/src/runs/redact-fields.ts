import type { Redactor } from "@skillwright/runtime";

/** What a redactor has to let through in one piece: the instructions of a skill, an answer. */
export const MAX_TEXT = 131_072;

/**
 * Each field by itself, since a redactor bounds what it gives: of a long request the budget would
 * else be cut off with it. What a run is made of must be in its record as a whole.
 */
export function redactFields(data: unknown, redactor: Redactor): unknown {
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    return redactor.redact(data);
  }
  return Object.assign(
    {},
    ...Object.entries(data).map(([name, value]) => redactor.redact({ [name]: value })),
  ) as unknown;
}
