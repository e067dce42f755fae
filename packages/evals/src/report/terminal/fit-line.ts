import { displayWidth, truncateWidth } from "@skillwright/core/internal";

/** Breaks between words; a word that is wider than a line is cut. */
export function wrapLine(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (displayWidth(longer) <= width) line = longer;
    else {
      if (line !== "") lines.push(line);
      line = truncateWidth(word, width);
    }
  }
  return line === "" ? lines : [...lines, line];
}

export function padLine(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}
