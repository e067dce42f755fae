/** Compares with a pattern in which `*` stands for any text. Linear in both. */
export function matchWildcard(pattern: string, text: string): boolean {
  const parts = pattern.split("*");
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (parts.length === 1) return pattern === text;
  if (text.length < first.length + last.length) return false;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    at = endOfFirst(part, text, at, end);
    if (at === -1) return false;
  }
  return true;
}

/** Where the first occurrence ends (Knuth, Morris, Pratt); -1 when there is none. */
function endOfFirst(part: string, text: string, from: number, end: number): number {
  if (part === "") return from;
  const fallback = new Int32Array(part.length);
  for (let i = 1, length = 0; i < part.length; i++) {
    while (length > 0 && part[i] !== part[length]) length = fallback[length - 1] ?? 0;
    if (part[i] === part[length]) length++;
    fallback[i] = length;
  }
  for (let i = from, length = 0; i < end; i++) {
    while (length > 0 && text[i] !== part[length]) length = fallback[length - 1] ?? 0;
    if (text[i] === part[length]) length++;
    if (length === part.length) return i + 1;
  }
  return -1;
}
