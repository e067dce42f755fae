/** Nesting beyond this is refused, so that no input exhausts the stack. */
const MAX_DEPTH = 100;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export interface CanonicalOptions {
  /** Spaces per level; without it there is no white space at all. */
  readonly indent?: number;
}

/**
 * The one JSON text of a value: names sorted by code unit, lone surrogates escaped, undefined
 * properties absent. Equal values have equal texts and different ones differ. Throws a `TypeError`
 * for what JSON cannot hold and for nesting beyond 100 levels.
 */
export function canonicalJson(value: unknown, { indent = 0 }: CanonicalOptions = {}): string {
  const text = write(value, 0);
  return indent === 0 ? text : JSON.stringify(JSON.parse(text), null, indent);
}

function write(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new TypeError(`it is nested deeper than ${MAX_DEPTH} levels`);
  if (value === null || typeof value === "boolean" || typeof value === "string") {
    return JSON.stringify(value);
  }
  if (typeof value === "number" && Number.isFinite(value)) return JSON.stringify(value);
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item: unknown) => write(item, depth + 1)).join(",")}]`;
  }
  if (!isPlainObject(value)) throw new TypeError(`JSON cannot hold ${describe(value)}`);
  const parts: string[] = [];
  for (const name of Object.keys(value).sort()) {
    // Read once: a getter could answer differently the second time.
    const item = value[name];
    if (item !== undefined) parts.push(`${JSON.stringify(name)}:${write(item, depth + 1)}`);
  }
  return `{${parts.join(",")}}`;
}

/**
 * Whether JSON text is nested deeper than this. To be asked before it is parsed: code that walks a
 * value step by step would exhaust the stack. Any text will do, and each character is seen once.
 */
export function isNestedDeeper(text: string, levels: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === BACKSLASH) at++;
      else if (code === QUOTE) isInString = false;
    } else if (code === QUOTE) isInString = true;
    // Brackets and braces are the only two pairs that differ in this bit alone.
    else if ((code | 0x20) === 0x7b && ++depth > levels) return true;
    else if ((code | 0x20) === 0x7d) depth--;
  }
  return false;
}

/** An object that is not a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function describe(value: unknown): string {
  return typeof value === "number" ? String(value) : `a value of type ${typeof value}`;
}
