/** Control characters, and those that turn the direction of what follows. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]+/g;
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;
const NARROW = /[\p{Mn}\u200B-\u200D]/u;

/** One line that holds nothing a terminal, an editor or XML could trip over. */
export function plainText(text) {
  return text
    .replaceAll(CONTROLS, " ")
    .replaceAll(/\p{Surrogate}/gu, "\uFFFD")
    .trim();
}

/** In columns of a fixed font; Chinese takes two. */
export function widthOf(text) {
  let width = 0;
  for (const character of text) width += NARROW.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** At most so wide, with an ellipsis for what is cut. */
export function fit(text, most) {
  if (text.length <= most / 2 || widthOf(text) <= most) return text;
  let cut = "";
  let width = 1;
  for (const character of text) {
    width += widthOf(character);
    if (width > most) break;
    cut += character;
  }
  return `${cut.trimEnd()}…`;
}

/** A copy of its own: a piece of a text keeps all of that text in memory. */
export function detached(text) {
  return Buffer.from(text).toString();
}
