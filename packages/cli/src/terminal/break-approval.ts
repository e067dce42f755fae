const PREVIEW = "  | ";
const CAUTION = "  ! ";
const BELOW = "    ";
/** Beside a label there has to be room for more than some letters. */
const LEAST_BESIDE = 24;
const FIELD =
  /^(?:Tool|Skill|Digest|Script|Command|Input|Folder|Sandbox|May write|May reach) +(?=\S)/;
const TAB = 8;

/**
 * The text of an approval in lines that fit, for a terminal from 8 columns on. A line that the
 * terminal broke would go on at the margin, where only our own words stand: what others wrote could
 * pass for them. So a mark or blanks stand before whatever goes on below, and long words are broken.
 */
export function breakApproval(text: string, columns: number): string {
  const width = Math.max(7, columns - 1);
  return text
    .split("\n")
    .flatMap((line) => breakLine(line, width))
    .join("\n");
}

function breakLine(line: string, width: number): string[] {
  if (line.startsWith(PREVIEW)) {
    const lines = pieces(withoutTabs(line.slice(PREVIEW.length)), width - PREVIEW.length, false);
    return lines.map((piece) => PREVIEW + piece);
  }
  const label = FIELD.exec(line)?.[0] ?? (line.startsWith(CAUTION) ? CAUTION : "");
  const value = line.slice(label.length);
  if (columnsOf(line) <= width) return [line];
  if (label !== "" && width - label.length >= Math.min(LEAST_BESIDE, width - BELOW.length)) {
    const lines = pieces(value, width - label.length, true);
    return lines.map((piece, i) => (i === 0 ? label : " ".repeat(label.length)) + piece);
  }
  if (label !== "") {
    const lines = pieces(value, width - BELOW.length, true);
    return [label.trimEnd(), ...lines.map((piece) => BELOW + piece)];
  }
  const [first = "", ...more] = pieces(line, width - BELOW.length, true);
  return [first, ...more.map((piece) => BELOW + piece)];
}

/**
 * As wide as they may be, between words where that leaves no line half empty, which is also behind the
 * commas of JSON and the parts of a path. Only prose loses the blanks there.
 */
function pieces(text: string, width: number, isProse: boolean): string[] {
  const lines: string[] = [];
  let rest = Array.from(text);
  while (columnsOf(rest) > width) {
    let taken = fitting(rest, width);
    const blank = rest.slice(0, isProse ? taken + 1 : taken).lastIndexOf(" ");
    const mark = isProse ? rest.slice(0, taken).findLastIndex((one) => ",;/".includes(one)) : -1;
    if (blank > taken / 2) taken = isProse ? blank : blank + 1;
    else if (mark > taken / 2) taken = mark + 1;
    lines.push(rest.slice(0, taken).join(""));
    const blanks = isProse ? rest.slice(taken).findIndex((character) => character !== " ") : 0;
    rest = rest.slice(blanks < 0 ? rest.length : taken + blanks);
  }
  return [...lines, rest.join("")];
}

function fitting(characters: readonly string[], width: number): number {
  let used = 0;
  const end = characters.findIndex((character) => (used += columnsOf([character])) > width);
  return Math.max(1, end === -1 ? characters.length : end);
}

/** At most so many: terminals differ in what is wide and in what they join, and none may be wider. */
function columnsOf(text: Iterable<string>): number {
  let columns = 0;
  for (const character of text) columns += character <= "~" ? 1 : 2;
  return columns;
}

function withoutTabs(line: string): string {
  let columns = 0;
  return Array.from(line, (character) => {
    if (character !== "\t") {
      columns += columnsOf([character]);
      return character;
    }
    const blanks = TAB - (columns % TAB);
    columns += blanks;
    return " ".repeat(blanks);
  }).join("");
}
