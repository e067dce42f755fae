/** The limit of the frontmatter, and the size of a hostile body. */
export const HOSTILE_BYTES = 16 * 1024;

/** Repeats `unit`, which gets a number if it is a function, up to this many bytes or a few more. */
export function fill(unit: string | ((i: number) => string), atLeast = HOSTILE_BYTES): string {
  const parts: string[] = [];
  let bytes = 0;
  for (let i = 0; bytes < atLeast; i++) {
    const part = typeof unit === "string" ? unit : unit(i);
    parts.push(part);
    bytes += Buffer.byteLength(part);
  }
  return parts.join("");
}

/** Enough of it, with room for what stands before and after. */
export function fillInside(unit: string | ((i: number) => string)): string {
  return fill(unit, HOSTILE_BYTES - 384);
}

/** The longest start of the text with at most so many bytes, half a surrogate pair counted too. */
export function cutToBytes(text: string, limit: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > limit) break;
    end += character.length;
  }
  return text.slice(0, end);
}
