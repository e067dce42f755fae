/** `*`, or the characters that may stand in one place. */
type Token = "*" | Range;

interface Range {
  readonly ranges: readonly (readonly [from: string, to: string])[];
  readonly not: boolean;
}

/** Compares one part of a path with one part of a pattern: `*`, `?`, `[abc]`, `[!a-z]`. */
export function matchSegment(pattern: string, segment: string): boolean {
  const tokens = tokenize(pattern);
  const characters = Array.from(segment);
  let token = 0;
  let at = 0;
  let star = -1;
  let starAt = 0;
  while (at < characters.length) {
    const current = tokens[token];
    if (current === "*") {
      star = token++;
      starAt = at;
    } else if (current !== undefined && matchesOne(current, characters[at] ?? "")) {
      token++;
      at++;
    } else if (star !== -1) {
      token = star + 1;
      at = ++starAt;
    } else return false;
  }
  while (tokens[token] === "*") token++;
  return token === tokens.length;
}

function matchesOne({ ranges, not }: Range, character: string): boolean {
  return ranges.some(([from, to]) => character >= from && character <= to) !== not;
}

function tokenize(pattern: string): Token[] {
  const tokens: Token[] = [];
  const characters = Array.from(pattern);
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? "";
    const end = character === "[" ? characters.indexOf("]", i + 2) : -1;
    if (character === "*") tokens.push("*");
    else if (character === "?") tokens.push({ ranges: [], not: true });
    else if (end === -1) tokens.push({ ranges: [[character, character]], not: false });
    else {
      tokens.push(rangeOf(characters.slice(i + 1, end)));
      i = end;
    }
  }
  return tokens;
}

function rangeOf(inner: readonly string[]): Range {
  const not = inner.length > 1 && (inner[0] === "!" || inner[0] === "^");
  const list = not ? inner.slice(1) : inner;
  const ranges: [string, string][] = [];
  for (let i = 0; i < list.length; i++) {
    const from = list[i] ?? "";
    const to = list[i + 1] === "-" ? list[i + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) i += 2;
  }
  return { ranges, not };
}
