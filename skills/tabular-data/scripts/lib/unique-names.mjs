/** Names of columns: none is empty, none is there twice. */
export function uniqueNames(names) {
  const taken = new Set();
  return names.map((name, i) => {
    const base = name.trim() === "" ? `column_${i + 1}` : name.trim();
    let unique = base;
    for (let times = 2; taken.has(unique); times++) unique = `${base}_${times}`;
    taken.add(unique);
    return unique;
  });
}
