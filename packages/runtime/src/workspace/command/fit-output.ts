/** Head and tail of a long output, cut at characters, with a note of what is missing. */
export function fitOutput(
  text: string,
  maxBytes: number,
): { readonly text: string; readonly truncated: boolean } {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return { text, truncated: false };
  const half = Math.floor(maxBytes / 2);
  const head = bytes.subarray(0, boundary(bytes, half)).toString("utf8");
  const tail = bytes.subarray(boundary(bytes, bytes.length - half)).toString("utf8");
  const left = bytes.length - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return { text: `${head}\n[… ${left} bytes left out …]\n${tail}`, truncated: true };
}

/** The nearest place before that does not divide a character. */
function boundary(bytes: Buffer, at: number): number {
  let place = at;
  while (place > 0 && ((bytes[place] ?? 0) & 0xc0) === 0x80) place--;
  return place;
}
