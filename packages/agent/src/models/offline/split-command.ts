const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ["<", ">"],
  ["[", "]"],
  ["{", "}"],
]);
const MAX_DEPTH = 8;
const MAX_TOKENS = 60;

/** Cut at blanks, but not inside of quotes, `<…>`, `[…]` and `{…}`. Quotes stay. */
export function splitCommand(command: string): string[] {
  const tokens: string[] = [];
  let token = "";
  const closing: string[] = [];
  for (const character of command) {
    const end = closing.at(-1);
    if (end !== undefined && character === end) closing.pop();
    else if (end !== '"' && end !== "'" && closing.length < MAX_DEPTH) {
      const closer = CLOSERS.get(character);
      if (closer !== undefined && (character !== "'" || token === "")) closing.push(closer);
    }
    if (closing.length === 0 && /\s/.test(character)) {
      if (token !== "") tokens.push(token);
      token = "";
    } else token += character;
    if (tokens.length >= MAX_TOKENS) return tokens;
  }
  // What was never closed was none: "a < b", "it's".
  if (closing.length > 0) tokens.push(...token.split(/\s+/).filter((part) => part !== ""));
  else if (token !== "") tokens.push(token);
  return tokens.slice(0, MAX_TOKENS);
}
