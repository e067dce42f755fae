const UNSAFE = /[<>\u2028\u2029]/g;

/** JSON that no HTML parser takes for the end of its element, and no JavaScript parser for a new line. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
