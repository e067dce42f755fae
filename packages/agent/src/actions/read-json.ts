/** The first JSON object in a text that has prose, fences or small slips around it. */
export function readJson(text: string): Readonly<Record<string, unknown>> | undefined {
  for (let start = text.indexOf("{"), tries = 0; start !== -1 && tries < MAX_TRIES; tries++) {
    const end = endOfObject(text, start);
    if (end === -1) return undefined;
    const value = parse(text.slice(start, end));
    if (value !== undefined) return value;
    start = text.indexOf("{", start + 1);
  }
  return undefined;
}

const MAX_TRIES = 20;
const MAX_LENGTH = 1_000_000;

/** Offset behind the closing brace; -1 when it never closes. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let i = start; i < Math.min(text.length, start + MAX_LENGTH); i++) {
    const character = text[i];
    if (character === '"') {
      i = endOfString(text, i);
      if (i === -1) return -1;
    } else if (character === "{") depth++;
    else if (character === "}" && --depth === 0) return i + 1;
  }
  return -1;
}

/** Offset of the closing quote. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === '"') return i;
  }
  return -1;
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  for (const candidate of [text, withoutSlips(text)]) {
    try {
      const value: unknown = JSON.parse(candidate, ownKeysOnly);
      if (typeof value === "object" && value !== null && !Array.isArray(value)) {
        return value as Record<string, unknown>;
      }
    } catch {
      // Then the next candidate, or none.
    }
  }
  return undefined;
}

/** A key of that name would set the prototype of whoever copies the object. */
function ownKeysOnly(key: string, value: unknown): unknown {
  return key === "__proto__" ? undefined : value;
}

const STRINGS_AND_SLIPS = /"(?:[^"\\]|\\[^])*"|,(?=\s*[}\]])|\/\/[^\n]*|\n/g;

/** Trailing commas and comments go; line breaks inside strings become escapes. */
function withoutSlips(text: string): string {
  return text.replaceAll(STRINGS_AND_SLIPS, (part) => {
    if (part === "\n") return part;
    return part.startsWith('"')
      ? part.replaceAll("\n", "\\n").replaceAll("\r", "\\r").replaceAll("\t", "\\t")
      : "";
  });
}
