const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const MAX_BYTES = 40;

/** Whether these bytes are a date, or a date with a time, year first. */
export function isDate(bytes, start, end) {
  const length = end - start;
  if (length < 10 || length > MAX_BYTES) return false;
  if (bytes[start + 4] !== 45 || bytes[start + 7] !== 45) return false;
  if (length > 10) return DATE.test(bytes.toString("latin1", start, end));
  return (
    areDigits(bytes, start, 4) && areDigits(bytes, start + 5, 2) && areDigits(bytes, start + 8, 2)
  );
}

function areDigits(bytes, start, length) {
  for (let at = start; at < start + length; at++) {
    if (bytes[at] < 48 || bytes[at] > 57) return false;
  }
  return true;
}
