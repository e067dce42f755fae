/** A word as it can be pasted into a shell. */
export function shellWord(text: string): string {
  return /^[\w./@+:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
