/** What Myers' algorithm may cost for one part before the part is cut, and for all parts together. */
const MAX_EDITS = 1000;
const MAX_STEPS = 50_000_000;

/**
 * The steps from one list of whole numbers to the other: `{ same | removed | added }` runs as
 * `{ kind, a, b, length }`, in order. Equal numbers mean equal lines. `isRough` says that there were
 * too many differences to look for the fewest: every step is right, but there may be a shorter way.
 *
 * Myers in linear space; a part with too many differences is cut at lines that both sides have
 * exactly once, else where the search came furthest.
 */
export function difference(a, b) {
  const work = { steps: 0, isRough: false };
  const [keptA, keptB] = withoutStrangers(a, b);
  const matches = [];
  compare(work, { a: keptA.map((i) => a[i]), b: keptB.map((i) => b[i]) }, (x, y) =>
    matches.push([keptA[x], keptB[y]]),
  );
  matches.sort((left, right) => left[0] - right[0]);
  return { runs: runsOf(matches, a.length, b.length), isRough: work.isRough };
}

/** Lines that the other side does not have are in no common part. */
function withoutStrangers(a, b) {
  const [inA, inB] = [new Set(a), new Set(b)];
  const kept = (list, other) => {
    const indexes = [];
    for (let i = 0; i < list.length; i++) if (other.has(list[i])) indexes.push(i);
    return indexes;
  };
  return [kept(a, inB), kept(b, inA)];
}

function compare(work, { a, b }, match) {
  const parts = [[0, a.length, 0, b.length]];
  while (parts.length > 0) {
    let [a0, a1, b0, b1] = parts.pop();
    while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) match(a0++, b0++);
    while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) match(--a1, --b1);
    if (a0 === a1 || b0 === b1) continue;
    const middle = middleSnake(work, a, b, [a0, a1, b0, b1]);
    if (Array.isArray(middle)) {
      const [x0, y0, x1, y1] = middle;
      for (let x = x0, y = y0; x < x1; x++, y++) match(x, y);
      parts.push([a0, x0, b0, y0], [x1, a1, y1, b1]);
      continue;
    }
    work.isRough = true;
    if (middle === undefined) continue;
    const anchors = commonOnce(a, b, [a0, a1, b0, b1]);
    if (anchors.length === 0)
      parts.push([middle.x, a1, middle.y, b1], [a0, middle.x, b0, middle.y]);
    let [fromA, fromB] = [a0, b0];
    for (const [x, y] of anchors) {
      match(x, y);
      parts.push([fromA, x, fromB, y]);
      [fromA, fromB] = [x + 1, y + 1];
    }
    if (anchors.length > 0) parts.push([fromA, a1, fromB, b1]);
  }
}

/**
 * The diagonal in the middle of a shortest way. When that would cost too much: the furthest point
 * that was reached, or undefined when nothing may be spent any more.
 */
function middleSnake(work, a, b, [a0, a1, b0, b1]) {
  const [n, m] = [a1 - a0, b1 - b0];
  const delta = n - m;
  const isOdd = (delta & 1) !== 0;
  const most = Math.min(Math.ceil((n + m) / 2), MAX_EDITS);
  const offset = most + 1;
  const forward = new Int32Array(2 * offset + 1);
  const backward = new Int32Array(2 * offset + 1);
  for (let d = 0; d <= most; d++) {
    if ((work.steps += 2 * d + 2) > MAX_STEPS) return undefined;
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && forward[offset + k - 1] < forward[offset + k + 1]);
      let x = down ? forward[offset + k + 1] : forward[offset + k - 1] + 1;
      const start = x;
      let y = x - k;
      if (x > n || y > m || y < 0) {
        forward[offset + k] = x;
        continue;
      }
      while (x < n && y < m && a[a0 + x] === b[b0 + y]) {
        x++;
        y++;
      }
      work.steps += x - start;
      forward[offset + k] = x;
      const other = delta - k;
      if (isOdd && Math.abs(other) <= d - 1 && x + backward[offset + other] >= n) {
        return [a0 + start, b0 + start - k, a0 + x, b0 + y];
      }
    }
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && backward[offset + k - 1] < backward[offset + k + 1]);
      let x = down ? backward[offset + k + 1] : backward[offset + k - 1] + 1;
      const start = x;
      let y = x - k;
      if (x > n || y > m || y < 0) {
        backward[offset + k] = x;
        continue;
      }
      while (x < n && y < m && a[a1 - 1 - x] === b[b1 - 1 - y]) {
        x++;
        y++;
      }
      work.steps += x - start;
      backward[offset + k] = x;
      const other = delta - k;
      if (!isOdd && Math.abs(other) <= d && x + forward[offset + other] >= n) {
        return [a1 - x, b1 - y, a1 - start, b1 - (start - k)];
      }
    }
  }
  let [far, at] = [-1, 0];
  for (let k = -most; k <= most; k++) {
    const x = Math.min(forward[offset + k], n);
    if (x - k < 0 || x - k > m || 2 * x - k <= far) continue;
    [far, at] = [2 * x - k, k];
  }
  const x = Math.min(forward[offset + at], n);
  const isProgress = far > 0 && far < n + m;
  return isProgress ? { x: a0 + x, y: b0 + x - at } : undefined;
}

/** The longest rising row of lines that stand once in each part. */
function commonOnce(a, b, [a0, a1, b0, b1]) {
  const places = new Map();
  const note = (list, from, to, side) => {
    for (let i = from; i < to; i++) {
      const place = places.get(list[i]) ?? { a: -1, b: -1, isOften: false };
      if (place[side] !== -1) place.isOften = true;
      place[side] = i;
      places.set(list[i], place);
    }
  };
  note(a, a0, a1, "a");
  note(b, b0, b1, "b");
  const pairs = [...places.values()].filter((one) => !one.isOften && one.a !== -1 && one.b !== -1);
  pairs.sort((left, right) => left.a - right.a);
  const ends = [];
  const before = Array.from({ length: pairs.length }, () => -1);
  for (let i = 0; i < pairs.length; i++) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const half = (low + high) >> 1;
      if (pairs[ends[half]].b < pairs[i].b) low = half + 1;
      else high = half;
    }
    before[i] = low === 0 ? -1 : ends[low - 1];
    ends[low] = i;
  }
  const anchors = [];
  for (let i = ends.at(-1) ?? -1; i !== -1; i = before[i]) anchors.push([pairs[i].a, pairs[i].b]);
  return anchors.reverse();
}

function runsOf(matches, lengthA, lengthB) {
  const runs = [];
  const push = (kind, a, b, length) => {
    const last = runs.at(-1);
    if (length === 0) return;
    if (last?.kind === kind && kind === "same") last.length += length;
    else runs.push({ kind, a, b, length });
  };
  let [x, y] = [0, 0];
  for (const [nextX, nextY] of [...matches, [lengthA, lengthB]]) {
    push("removed", x, y, nextX - x);
    push("added", nextX, y, nextY - y);
    if (nextX < lengthA || nextY < lengthB) push("same", nextX, nextY, 1);
    [x, y] = [nextX + 1, nextY + 1];
  }
  return runs;
}
