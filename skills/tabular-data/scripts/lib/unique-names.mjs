/**
 * Names of columns: none is empty, none is there twice. A name that several columns have is numbered in
 * each of them, so that whoever asks for it must say which one is meant.
 */
export function uniqueNames(names) {
  const bases = names.map((name, i) => (name.trim() === "" ? `column_${i + 1}` : name.trim()));
  const counts = new Map();
  for (const base of bases) counts.set(base, (counts.get(base) ?? 0) + 1);
  const taken = new Set(bases.filter((base) => counts.get(base) === 1));
  const last = new Map();
  return bases.map((base) => {
    if (counts.get(base) === 1) return base;
    let times = (last.get(base) ?? 0) + 1;
    while (taken.has(`${base}_${times}`)) times++;
    last.set(base, times);
    taken.add(`${base}_${times}`);
    return `${base}_${times}`;
  });
}
