/** What a model is shown of one result. */
const MAX_CHARACTERS = 16_000;
const HEAD = 10_000;
const TAIL = MAX_CHARACTERS - HEAD;

/** The beginning and the end of a long text, and what is missing between them. */
export function summarize(text: string): { observation: string; isWhole: boolean } {
  if (text.length <= MAX_CHARACTERS) return { observation: text, isWhole: true };
  const head = text.slice(0, HEAD);
  const tail = text.slice(-TAIL);
  const left = text.length - HEAD - TAIL;
  const observation = `${head}\n[… ${left} characters left out; the record of the run has them …]\n${tail}`;
  return { observation, isWhole: false };
}
