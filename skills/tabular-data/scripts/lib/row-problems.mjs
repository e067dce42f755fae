const MAX_MEBIBYTES = 16;
export const MAX_ROW = MAX_MEBIBYTES * 1024 * 1024;

/** The header is row 0. */
export function rowName(number) {
  return number === 0 ? "the first line" : `row ${number}`;
}

export function tooLong(number) {
  return new Error(
    `${rowName(number)} is over ${MAX_MEBIBYTES} MiB long and has no end: is a quote left open?`,
  );
}
