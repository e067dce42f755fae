/** Compares one part of a path with one part of a pattern: `*`, `?`, `[abc]`, `[!a-z]`, `\x`. */
export function matchSegment(pattern: string, segment: string): boolean {
  const tokens = tokenize(pattern);
  const characters = [...segment];
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

type Token = "*" | "?" | { readonly characters: ReadonlySet<string>; readonly not: boolean } | Range;
interface Range {
  readonly ranges: readonly (readonly [string, string])[];
  readonly not: boolean;
}

function matchesOne(token: Token, character: string): boolean {
  if (token === "*" || token === "?") return true;
  if ("characters" in token) return token.characters.has(character) !== token.not;
  return token.ranges.some(([from, to]) => character >= from && character <= to) !== token.not;
}

function tokenize(pattern: string): Token[] {
  const tokens: Token[] = [];
  const characters = [...pattern];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? "";
    if (character === "*" || character === "?") {
      if (character !== "*" || tokens.at(-1) !== "*") tokens.push(character);
      continue;
    }
    const end = character === "[" ? characters.indexOf("]", i + 2) : -1;
    if (end === -1) tokens.push({ characters: new Set([character]), not: false });
    else {
      tokens.push(rangeOf(characters.slice(i + 1, end)));
      i = end;
    }
  }
  return tokens;
}

function rangeOf(inner: readonly string[]): Range {
  const not = inner[0] === "!" || inner[0] === "^";
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
