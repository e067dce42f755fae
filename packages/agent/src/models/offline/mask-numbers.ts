import type { SaidNumber } from "./find-numbers.ts";

/** The first character that no standard gives a meaning. */
const FIRST = 0xe000;
const MOST = 0x1000;

/** A text with one character for each number, so that no rule takes a part of one. */
export function maskNumbers(text: string, numbers: readonly SaidNumber[]): string {
  return replaced(text, numbers, (_, i) => String.fromCodePoint(FIRST + i));
}

/** The same, but what can be read stands there in plain digits. */
export function plainNumbers(text: string, numbers: readonly SaidNumber[]): string {
  return replaced(text, numbers, ({ reading, isQuoted }, i) =>
    "value" in reading && isQuoted !== true ? reading.value : String.fromCodePoint(FIRST + i),
  );
}

/** With the numbers again as they were written. */
export function unmask(text: string, numbers: readonly SaidNumber[]): string {
  return text.replaceAll(/\p{Co}/gu, (mask) => numberOf(mask, numbers)?.written ?? mask);
}

/** The numbers that are masked in a text. */
export function maskedIn(text: string, numbers: readonly SaidNumber[]): SaidNumber[] {
  return (text.match(/\p{Co}/gu) ?? []).flatMap((mask) => numberOf(mask, numbers) ?? []);
}

function numberOf(mask: string, numbers: readonly SaidNumber[]): SaidNumber | undefined {
  return numbers[(mask.codePointAt(0) ?? 0) - FIRST];
}

function replaced(
  text: string,
  numbers: readonly SaidNumber[],
  by: (number: SaidNumber, index: number) => string,
): string {
  let result = "";
  let done = 0;
  for (const [i, number] of numbers.slice(0, MOST).entries()) {
    result += withoutMasks(text.slice(done, number.at)) + by(number, i);
    done = number.at + number.written.length;
  }
  return result + withoutMasks(text.slice(done));
}

/** What looks like a mask and is none. */
function withoutMasks(text: string): string {
  return text.replaceAll(/\p{Co}/gu, "\uFFFD");
}
