const WIDE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u;
const ZERO = /\p{Mn}|\p{Me}|\u200d|\ufe0f/u;

/** Columns in a terminal. */
export function lineWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** At most so many columns; what was cut is said with an ellipsis. */
export function fitLine(text: string, width: number): string {
  if (lineWidth(text) <= width) return text;
  let [kept, used] = ["", 0];
  for (const character of text) {
    used += characterWidth(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** Between words where that is possible, each line at most so wide. */
export function wrapLine(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (lineWidth(longer) <= width) line = longer;
    else {
      if (line !== "") lines.push(line);
      line = fitLine(word, width);
    }
  }
  return line === "" ? lines : [...lines, line];
}

export function padLine(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - lineWidth(text)));
}

function characterWidth(character: string): number {
  if (ZERO.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
