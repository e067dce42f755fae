import { stripHidden } from "@skillwright/core/internal";

/** Letters of other alphabets that look like Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  а: "a",
  в: "b",
  е: "e",
  о: "o",
  р: "p",
  с: "c",
  у: "y",
  х: "x",
  і: "i",
  ѕ: "s",
  ј: "j",
  һ: "h",
  ԁ: "d",
  ԛ: "q",
  ԝ: "w",
  к: "k",
  м: "m",
  т: "t",
  н: "h",
  ɡ: "g",
  ӏ: "l",
  α: "a",
  ε: "e",
  ι: "i",
  κ: "k",
  ν: "v",
  ο: "o",
  ρ: "p",
  τ: "t",
  υ: "u",
  χ: "x",
  А: "a",
  В: "b",
  Е: "e",
  О: "o",
  Р: "p",
  С: "c",
  Х: "x",
  І: "i",
  Ѕ: "s",
  К: "k",
  М: "m",
  Т: "t",
  Н: "h",
  Α: "a",
  Β: "b",
  Ε: "e",
  Ζ: "z",
  Η: "h",
  Ι: "i",
  Κ: "k",
  Μ: "m",
  Ν: "n",
  Ο: "o",
  Ρ: "p",
  Τ: "t",
  Υ: "y",
  Χ: "x",
};

/** Characters that are read as others. */
const FOLDS =
  /[\u00A0\u0261\u0370-\u052f\u2000-\u200A\u2024-\u2027\u202F\u205F\u2100-\u214F\uFB00-\uFB06\uFE30-\uFFEF]/;

let table: Uint16Array | undefined;

/** Code unit → what it is read as: lower case, lookalikes as Latin letters; 0 for what is skipped. Made on first use. */
export function foldTable(): Uint16Array {
  return (table ??= foldedCharacters());
}

/** A line as it is matched: NFKC, lower case, lookalikes as Latin letters, hidden characters left out. */
export function foldText(text: string): string {
  if (!FOLDS.test(text) && stripHidden(text) === text) return text.toLowerCase();
  return stripHidden(text.normalize("NFKC"))
    .replace(/[\u0370-\u052f\u0261]/g, (letter) => LOOKALIKES[letter] ?? letter)
    .toLowerCase();
}

function foldedCharacters(): Uint16Array {
  const folded = Uint16Array.from({ length: 0x1_0000 }, (_, code) => code);
  for (let code = 0x41; code <= 0x5a; code++) folded[code] = code + 0x20;
  for (let code = 0xff01; code <= 0xff5e; code++) {
    folded[code] = String.fromCharCode(code - 0xfee0)
      .toLowerCase()
      .charCodeAt(0);
  }
  for (const [letter, latin] of Object.entries(LOOKALIKES)) {
    folded[letter.charCodeAt(0)] = latin.charCodeAt(0);
  }
  for (let code = 0x80; code < 0x1_0000; code++) {
    // Half a character is hidden, but not the whole one.
    const isHalf = code >= 0xd800 && code < 0xe000;
    if (!isHalf && stripHidden(String.fromCharCode(code)) === "") folded[code] = 0;
  }
  // A shell reads cu'r'l and c\url as curl.
  for (const quote of "'\"\\") folded[quote.charCodeAt(0)] = 0;
  folded[0x09] = 0x20;
  folded[0xa0] = 0x20;
  return folded;
}
