import { type NumberReading, readNumber } from "./read-number.ts";

/** A number of a request, with all that belongs to it. */
export interface SaidNumber {
  readonly written: string;
  /** Where it begins. */
  readonly at: number;
  readonly reading: NumberReading;
  /** It stands between quotation marks: in a text it is taken as it is. */
  readonly isQuoted?: true;
}

const VULGAR = "[¼-¾⅐-⅞]";
const ATOM = String.raw`(?:\.?\p{Nd}(?:[.,:'’_\u00a0\u202f\u2009]?\p{Nd})*(?:e[-+]?\d{1,4})?(?:\s?${VULGAR})?|${VULGAR})`;
const MIXED = String.raw`\d{1,9}\s\d{1,9}\s?[/⁄]\s?\d{1,9}`;
const SPACED = String.raw`\d{1,3}(?: \d{3})+(?:[.,]\d{1,20})?(?!\p{Nd})`;
const SIGN = String.raw`(?:(?:minus|negative)\s{1,3}|负|零下|[-−–]\s?|\+)`;
/** What is between two numbers that are one thing: a range, a calculation, 5 ft 10 in. */
const BETWEEN = [
  String.raw`\s?(?:\*\*|\.{2,3}|[-–—−~～…/⁄^*×÷+±:x])\s?`,
  String.raw`\s(?:to|bis|till|until|or|oder|plus|minus|times|mal|divided by|multiplied by)\s`,
  String.raw`(?<=\bbetween\s[\p{Nd}.,]{1,20})\sand\s`,
  String.raw`\s?[到至]\s?`,
  String.raw`\s?(?!(?:in|to|of|at|by|for|and|or|from|with|than|is|are|over|under|per|on|as)\b)[a-z]{1,10}\s(?=\p{Nd}[\p{Nd}.,]{0,20}\s?[a-z]{1,10}\b)`,
].join("|");
/** What makes another number of the one before it. */
const TAIL = [
  String.raw`\s?(?:hundred|thousand|million|billion|trillion|dozen|tausend|millionen|milliarden|mio|mrd)\b`,
  "[万亿]",
  String.raw`\s(?:and|und)\s(?:an?|one|two|three|ein)\s(?:half|halves|quarters?|thirds?)\b`,
  String.raw`(?:\s?(?:degrees?|°)(?:\s?\p{L}{1,12})?)?\s(?:below|unter)\s(?:zero|null)\b`,
  String.raw`\s(?:squared|cubed|to the)\b`,
  String.raw`\s?[\^*×÷±]|\+(?!\s?\p{L})`,
].join("|");
/** In Chinese a number stands right behind a word. */
const NUMBERS = new RegExp(
  String.raw`(?<!(?!\p{Script=Han})\p{L}|[\p{N}_./:^-]|\p{N}[,'’*×÷+~–—−])${SIGN}?(?:${MIXED}|${SPACED}|${ATOM})(?:(?:${BETWEEN})[-−+]?(?:${MIXED}|${ATOM})){0,20}(?:${TAIL})?`,
  "giu",
);
/** After these it was not a number: 3rd, 2024.example.org. */
const NO_NUMBER = /^(?:(?:st|nd|rd|th)\b|[\w./:-]{0,100}\.[a-z])/i;
const GOES_ON = /^(?:[-–/^*×÷+.,:'’_~]?\p{N}|[\^*×÷±])/u;

/** Each number of a text, whole. */
export function findNumbers(text: string, isGerman: boolean): SaidNumber[] {
  const numbers: SaidNumber[] = [];
  for (const { 0: written, index } of text.matchAll(NUMBERS)) {
    const after = text.slice(index + written.length, index + written.length + 120);
    if (NO_NUMBER.test(after)) continue;
    const isCut = GOES_ON.test(after);
    const reading: NumberReading = isCut ? { unclear: "unknown" } : readNumber(written, isGerman);
    numbers.push({ written, at: index, reading });
  }
  return numbers;
}
