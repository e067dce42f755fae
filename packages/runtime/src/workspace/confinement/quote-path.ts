/** Characters that can rewrite what a person or a terminal sees, and halves of characters. */
const UNSAFE =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}\p{Cs}]/gu;

export function hasUnsafeCharacters(path: string): boolean {
  return path.search(UNSAFE) !== -1;
}

/** A path in a message: in quotes, short, and with nothing a terminal obeys. */
export function quotePath(path: string): string {
  const short = path.length > 200 ? `${path.slice(0, 199)}…` : path;
  return JSON.stringify(short).replace(UNSAFE, escaped);
}

/** A path in a list: as it is, or quoted when it could be taken for something else. */
export function plainPath(path: string): string {
  return hasUnsafeCharacters(path) ? JSON.stringify(path).replace(UNSAFE, escaped) : path;
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`;
}
