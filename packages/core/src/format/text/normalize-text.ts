const BOM = 0xfeff;

/** Drops a leading BOM and turns CRLF and CR into LF. Everything else stays as it is. */
export function normalizeText(text: string): string {
  const start = text.charCodeAt(0) === BOM ? 1 : 0;
  if (text.includes("\r", start)) return text.slice(start).replace(/\r\n?/g, "\n");
  return start === 0 ? text : text.slice(start);
}
