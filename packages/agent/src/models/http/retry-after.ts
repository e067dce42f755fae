/** How long the service asks to wait, from `retry-after-ms` or `retry-after` (seconds or a date). */
export function retryAfter(headers: Headers, now: number): number | undefined {
  const milliseconds = amount(headers.get("retry-after-ms"));
  if (milliseconds !== undefined) return milliseconds;
  const text = headers.get("retry-after");
  const seconds = amount(text);
  if (seconds !== undefined) return Math.ceil(seconds * 1000);
  const date = text === null ? Number.NaN : Date.parse(text);
  // Date.parse takes nearly anything for a date; all HTTP dates have a comma or a name of a month.
  return Number.isFinite(date) && /[a-z]{3}/i.test(text ?? "")
    ? Math.max(0, date - now)
    : undefined;
}

function amount(text: string | null): number | undefined {
  return text !== null && /^\s*\d{1,12}(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
