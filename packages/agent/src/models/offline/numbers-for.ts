import { findRanking } from "./find-ranking.ts";
import type { SaidNumber } from "./find-numbers.ts";
import type { RequestFacts } from "./read-request.ts";
import type { Slot } from "./usage.ts";

const COUNTS = /^(?:top|limit|first|head|n|count)$/;
const NEAR = 20;

/** The numbers of a request that can be meant by a place for one. */
export function numbersFor(
  { name }: Slot,
  { plain, text, numbers }: RequestFacts,
  isOption: boolean,
): readonly SaidNumber[] {
  if (!isOption) return numbers;
  // "who has the most points" wants one.
  const count = COUNTS.test(name) ? findRanking(plain)?.count : undefined;
  if (count === undefined) return near(text, name, numbers);
  return [{ written: count, at: -1, reading: { value: count } }];
}

/** Of several numbers the one beside the word; "top 5", "5 rows", "limit of 5". */
function near(text: string, name: string, numbers: readonly SaidNumber[]): readonly SaidNumber[] {
  const lower = text.toLowerCase();
  const words = name.split(" ").filter((word) => word.length > 1);
  return numbers.filter(({ at, written }) => {
    const around = lower.slice(Math.max(0, at - NEAR), at + written.length + NEAR);
    return words.some((word) => around.indexOf(word.replace(/s$/, "")) >= 0);
  });
}
