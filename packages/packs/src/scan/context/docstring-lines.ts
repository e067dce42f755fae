const TRIPLE = /"""|'''/;

/** Lines of Python that are documentation: strings that stand alone. Strings that are used are not. */
export function docstringLines(lines: readonly string[]): Set<number> {
  const documented = new Set<number>();
  let quote = "";
  let isAlone = false;
  for (const [index, line] of lines.entries()) {
    if (quote === "") {
      const opened = TRIPLE.exec(line);
      if (opened === null) continue;
      isAlone = /^\s*[rRuUbB]{0,2}$/.test(line.slice(0, opened.index));
      if (isAlone) documented.add(index);
      if (!line.includes(opened[0], opened.index + 3)) quote = opened[0];
    } else {
      if (isAlone) documented.add(index);
      if (line.includes(quote)) quote = "";
    }
  }
  return documented;
}
