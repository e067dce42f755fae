/** A piece of JSON that means something: neither blank nor comment. */
export interface JsonToken {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface JsonMember {
  readonly key: string;
  /** The tokens of its key and of the last of its value. */
  readonly first: number;
  readonly last: number;
}

const TOKEN = /\s+|\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:/]+/y;
const IGNORED = /^(?:\s|\/[/*])/;

/** The tokens of JSON with comments; undefined for what is none. */
export function jsonTokens(text: string): JsonToken[] | undefined {
  const tokens: JsonToken[] = [];
  let start = 0;
  while (start < text.length) {
    TOKEN.lastIndex = start;
    const [found] = TOKEN.exec(text) ?? [];
    if (found === undefined) return undefined;
    const end = start + found.length;
    if (!IGNORED.test(found)) tokens.push({ text: found, start, end });
    start = end;
  }
  return tokens;
}

/** What the tokens say, commas at the end of a list passed over; undefined for what is no JSON. */
export function jsonValue(tokens: readonly JsonToken[]): unknown {
  const isLast = (at: number) => /^[}\]]$/.test(tokens[at + 1]?.text ?? "");
  const texts = tokens.map(({ text }, at) => (text === "," && isLast(at) ? "" : text));
  try {
    return JSON.parse(texts.join(" ")) as unknown;
  } catch {
    return undefined;
  }
}

/** The members of the object at a path of keys; undefined when there is no object. Takes good JSON. */
export function membersAt(
  tokens: readonly JsonToken[],
  path: readonly string[],
  at = 0,
): JsonMember[] | undefined {
  if (tokens[at]?.text !== "{") return undefined;
  const members = membersOf(tokens, at);
  const [key, ...rest] = path;
  if (key === undefined) return members;
  // Of two members with one key, the last one counts.
  const member = members.findLast((one) => one.key === key);
  return member && membersAt(tokens, rest, member.first + 2);
}

function membersOf(tokens: readonly JsonToken[], open: number): JsonMember[] {
  const members: JsonMember[] = [];
  let at = open + 1;
  while (at < tokens.length && tokens[at]?.text !== "}") {
    const last = endOfValue(tokens, at + 2);
    members.push({ key: JSON.parse(tokens[at]?.text ?? "") as string, first: at, last });
    at = tokens[last + 1]?.text === "," ? last + 2 : last + 1;
  }
  return members;
}

function endOfValue(tokens: readonly JsonToken[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    const { text = "" } = tokens[at] ?? {};
    if (text === "{" || text === "[") depth++;
    if (text === "}" || text === "]") depth--;
    if (depth === 0) return at;
  }
  return tokens.length - 1;
}
