/** Characters that can rewrite what a person or a terminal sees, and halves of characters. */
export const UNSAFE_CHARACTERS =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}\p{Cs}]/u;

const ALL_UNSAFE = new RegExp(UNSAFE_CHARACTERS, "gu");
const MAX_SHOWN = 120;

/** A name from outside in a message: in quotes, short, and with nothing a terminal obeys. */
export function showName(name: string): string {
  const short = name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN - 1)}…` : name;
  return JSON.stringify(short).replace(
    ALL_UNSAFE,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`,
  );
}

/** The first of some names, and how many more there are. */
export function showNames(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).map(showName).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}
