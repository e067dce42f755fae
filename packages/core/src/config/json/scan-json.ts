/** Where the parts of a JSON text stand; `end` is exclusive. */
export interface JsonNode {
  readonly start: number;
  readonly end: number;
  /** Of an object; undefined for everything else. */
  readonly members?: readonly JsonMember[];
}

interface JsonMember {
  readonly key: string;
  readonly start: number;
  readonly value: JsonNode;
}

export type JsonScan =
  | { readonly ok: true; readonly node: JsonNode }
  /** The first character that cannot stand where it does. */
  | { readonly ok: false; readonly offset: number };

const MAX_DEPTH = 100;
const SPACE = /[ \t\r\n]*/y;
// oxlint-disable-next-line no-control-regex -- JSON wants these escaped
const TEXT = /"(?:[^"\\\u0000-\u001F]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** Reads the positions in strict JSON, which `JSON.parse` does not give. */
export function scanJson(text: string): JsonScan {
  let offset = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    const [found] = pattern.exec(text) ?? [];
    if (found !== undefined) offset += found.length;
    return found;
  };
  const next = (): string | undefined => {
    take(SPACE);
    return text[offset];
  };
  const expect = (character: string): boolean => next() === character && ++offset > 0;

  const scanValue = (depth: number): JsonNode | undefined => {
    const first = next();
    const start = offset;
    if (depth > MAX_DEPTH) return undefined;
    if (first === "{") return scanObject(depth, start);
    if (first === "[") return scanArray(depth, start);
    return take(first === '"' ? TEXT : SCALAR) === undefined ? undefined : { start, end: offset };
  };
  const scanObject = (depth: number, start: number): JsonNode | undefined => {
    const members: JsonMember[] = [];
    offset++;
    if (expect("}")) return { start, end: offset, members };
    do {
      next();
      const keyStart = offset;
      const key = take(TEXT);
      if (key === undefined || !expect(":")) return undefined;
      const value = scanValue(depth + 1);
      if (value === undefined) return undefined;
      members.push({ key: JSON.parse(key) as string, start: keyStart, value });
    } while (expect(","));
    return expect("}") ? { start, end: offset, members } : undefined;
  };
  const scanArray = (depth: number, start: number): JsonNode | undefined => {
    offset++;
    if (expect("]")) return { start, end: offset };
    do {
      if (scanValue(depth + 1) === undefined) return undefined;
    } while (expect(","));
    return expect("]") ? { start, end: offset } : undefined;
  };

  const node = scanValue(0);
  return node !== undefined && next() === undefined ? { ok: true, node } : { ok: false, offset };
}
