/** Tells line and column, from 1, of a place in a text. */
export function positions(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (at) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const half = (low + high + 1) >> 1;
      if (starts[half] <= at) low = half;
      else high = half - 1;
    }
    return [low + 1, at - starts[low] + 1];
  };
}
