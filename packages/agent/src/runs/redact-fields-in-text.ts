import type { Redactor } from "@skillwright/runtime";
import { findJson, withoutThoughts } from "../actions/read-json.ts";
import { canonicalJson } from "../canonical-json.ts";

export interface TextRedaction {
  readonly redactor: Redactor;
  /** For the objects that are found. */
  readonly redactObject: (value: object) => unknown;
}

const REDACTED = "[redacted]";

/**
 * A text with JSON in it, as the loop reads it: each object is redacted by its fields and written
 * again, what stands around them as text. So what is read from the record is what was decided, but
 * for its secrets. Undefined for a text without objects.
 */
export function redactFieldsInText(
  text: string,
  { redactor, redactObject }: TextRedaction,
): string | undefined {
  if (!text.includes("{")) return undefined;
  const whole = withoutKnownObjects(text, redactor);
  const said = withoutThoughts(whole);
  const { objects } = findJson(said);
  if (objects.length === 0) return undefined;
  const parts = [redactor.redactText(whole.slice(0, whole.length - said.length))];
  let read = 0;
  for (const { value, start, end } of objects) {
    parts.push(redactor.redactText(said.slice(read, start)));
    parts.push(writtenObject(said.slice(start, end), value, redactObject(value)));
    read = end;
  }
  return [...parts, redactor.redactText(said.slice(read))].join("");
}

/** A secret may itself be an object, such as the key of a service. */
function withoutKnownObjects(text: string, { rules }: Redactor): string {
  const [values] = rules.texts;
  if (rules.longestValue === 0 || values === undefined) return text;
  return text.replace(values.expression, (found) => (found.includes("{") ? REDACTED : found));
}

/** As it stands there when nothing of it is left out; then it also holds nothing that was not read. */
function writtenObject(text: string, value: object, redacted: unknown): string {
  const written = canonicalJson(redacted);
  const isWhole = written === canonicalJson(value) && withoutSpace(text) === JSON.stringify(value);
  return isWhole ? text : written;
}

const STRING_OR_SPACE = /"(?:[^"\\]|\\[^])*"|\s+/g;

function withoutSpace(text: string): string {
  return text.replaceAll(STRING_OR_SPACE, (part) => {
    if (!part.startsWith('"')) return "";
    try {
      return JSON.stringify(JSON.parse(part));
    } catch {
      return part;
    }
  });
}
