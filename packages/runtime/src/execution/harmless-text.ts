/** Colours carry nothing that a model or a record needs. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const COLORS = /\u001b\[[0-9;:]*m/g;
const CONTROLS =
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const PICTURES = 0x2400;

/** Text that a terminal shows and does not obey: controls become visible signs. */
export function harmlessText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(COLORS, "").replace(CONTROLS, pictureOf);
}

function pictureOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(PICTURES + code);
  return code === 0x7f ? "\u2421" : "\uFFFD";
}
