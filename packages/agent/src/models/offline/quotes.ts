/** Pairs of quotation marks, of several languages. */
const PAIRS: readonly (readonly [open: string, close: string])[] = [
  ['"', '"'],
  ["„", "“”"],
  ["“", "”"],
  ["‚", "‘’"],
  ["‘", "’"],
  ["«", "»"],
  ["»", "«"],
  ["「", "」"],
  ["『", "』"],
  ["《", "》"],
  ["＂", "＂"],
  ["`", "`"],
];
const MAX_LENGTH = 4000;

const QUOTES = new RegExp(
  [
    ...PAIRS.map(([open, close]) => `${open}([^${close}\\n]{1,${MAX_LENGTH}})[${close}]`),
    // Not the one of "it's".
    `(?<![\\p{L}\\p{N}])'([^'\\n]{1,${MAX_LENGTH}})'(?!\\p{L})`,
  ].join("|"),
  "gu",
);

interface Quote {
  /** What stands between the marks. */
  readonly text: string;
  /** Of the opening mark. */
  readonly start: number;
  /** Behind the closing mark. */
  readonly end: number;
}

export function quotesIn(text: string, most: number): Quote[] {
  const quotes: Quote[] = [];
  for (const { 0: whole, index, ...groups } of text.matchAll(QUOTES)) {
    if (quotes.length >= most) break;
    const inner = Object.values(groups).find((group) => typeof group === "string");
    quotes.push({ text: inner ?? "", start: index, end: index + whole.length });
  }
  return quotes;
}
