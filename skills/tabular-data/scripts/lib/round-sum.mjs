/** Without the digits that binary fractions add. */
export function roundSum(value) {
  return Number(value.toPrecision(15));
}
