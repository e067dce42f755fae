/** What may stand in place of the text between `from` and the cursor. */
export interface Completion {
  readonly from: number;
  readonly candidates: readonly Candidate[];
}

export interface Candidate {
  /** What is put in. */
  readonly value: string;
  /** What is shown beside it. */
  readonly description?: string;
}

/** Offers what the text before the cursor may become. Must not throw. */
export type Complete = (textBefore: string) => Completion | undefined;

/** The beginning that all candidates share. */
export function commonStart(candidates: readonly Candidate[]): string {
  const [first = "", ...others] = candidates.map(({ value }) => value);
  let { length } = first;
  for (const other of others) {
    while (!other.startsWith(first.slice(0, length))) length--;
  }
  // Not half of a character.
  return first.slice(0, length).replace(/[\ud800-\udbff]$/, "");
}
