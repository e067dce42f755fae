/** What a model is shown of one result of a script, a command or a tool. */
const MAX_CHARACTERS = 24_000;
/** What is read comes in pages of its own, which say how to read on. */
const MAX_READ_CHARACTERS = 110_000;
const HEAD_SHARE = 0.6;

/** The beginning and the end of a long text, and how much is missing between them. */
export function summarize(
  text: string,
  { isReading }: { readonly isReading: boolean },
): { observation: string; isWhole: boolean } {
  const most = isReading ? MAX_READ_CHARACTERS : MAX_CHARACTERS;
  if (text.length <= most) return { observation: text, isWhole: true };
  const head = text.slice(0, Math.floor(most * HEAD_SHARE));
  const tail = text.slice(-Math.floor(most * (1 - HEAD_SHARE)));
  const left = text.length - head.length - tail.length;
  const note = `[… ${left} characters left out. Write long output to a file and read the part you need. …]`;
  return { observation: `${head}\n${note}\n${tail}`, isWhole: false };
}
