/** What one side did beside what another did, aligned where they did the same. */
export const SEQUENCE_DIFF = String.raw`
/** The longest common subsequence of steps, as rows of two places; -1 where a side has none. */
function alignSteps(left, right) {
  const width = right.length + 1;
  const best = new Uint16Array((left.length + 1) * width);
  const isSame = (i, j) => stepText(left[i]) === stepText(right[j]);
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      best[i * width + j] = isSame(i, j)
        ? best[(i + 1) * width + j + 1] + 1
        : Math.max(best[(i + 1) * width + j], best[i * width + j + 1]);
    }
  }
  const rows = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && isSame(i, j)) rows.push([i++, j++]);
    else if (j >= right.length || (i < left.length && best[(i + 1) * width + j] >= best[i * width + j + 1])) rows.push([i++, -1]);
    else rows.push([-1, j++]);
  }
  return rows;
}

function placedStep(step, place) {
  return step ? place + 1 + ". " + stepText(step) + (step[2] ? "" : " (failed)") : "";
}

function diffTable(leftLabel, left, rightLabel, right) {
  const head = make("tr", "", make("th", "", ""), make("th", "", leftLabel), make("th", "", rightLabel));
  const body = make("tbody", "");
  for (const [i, j] of alignSteps(left, right)) {
    const [one, other] = [left[i], right[j]];
    const isBoth = one !== undefined && other !== undefined;
    const isEqual = isBoth && one[4] === other[4] && one[2] === other[2];
    const sign = isBoth ? (isEqual ? "=" : "≈") : one === undefined ? "+" : "−";
    const meaning = isBoth ? (isEqual ? "the same" : "the same step in another way") : one === undefined ? "only right" : "only left";
    const cell = make("td", "", sign);
    cell.title = meaning;
    cell.append(make("span", "skip-visually", meaning));
    const name = isBoth ? "" : one === undefined ? "new" : "gone";
    body.append(make("tr", name, cell, make("td", "", placedStep(one, i)), make("td", "", placedStep(other, j))));
  }
  return make("table", "diff", make("thead", "", head), body);
}
`;
