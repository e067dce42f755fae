const INLINE =
  /!?\[(?:[^[\]\\]|\\.|\[[^[\]]{0,200}\]){0,500}\]\(\s*(?:<([^<>]{0,1000})>|((?:[^\s()\\]|\\.|\([^\s()]{0,200}\)){0,1000}))(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)))?\s*\)/g;
const DEFINITION = /^ {0,3}\[([^\]]{1,200})\]:\s*(?:<([^<>]*)>|(\S+))/;
const REFERENCE = /\[(?:[^[\]\\]|\\.){1,300}\]\[([^[\]]{1,200})\]/g;

/** Links with their targets, uses of named links, and the names that are defined. */
export function linksIn(lines) {
  const [links, uses, names] = [[], [], new Set()];
  for (const { text, number: line } of lines) {
    const definition = DEFINITION.exec(text);
    if (definition !== null && !definition[1].startsWith("^")) {
      names.add(definition[1].toLowerCase());
      links.push({ target: definition[2] ?? definition[3], line, column: 1 });
      continue;
    }
    for (const { 1: angled, 2: bare, index } of text.matchAll(INLINE)) {
      links.push({
        target: (angled ?? bare ?? "").replaceAll(/\\(.)/g, "$1"),
        line,
        column: index + 1,
      });
    }
    for (const { 1: name, index } of text.matchAll(REFERENCE)) {
      uses.push({ name: name.toLowerCase(), line, column: index + 1 });
    }
  }
  return { links, uses, names };
}

/** Code within a line is no link; the columns stay as they are. */
export function withoutCode(text) {
  return text.replace(/(?<!`)(`{1,3})(?!`)(.{0,2000}?)(?<!`)\1(?!`)/g, (all) =>
    " ".repeat(all.length),
  );
}

/** The name of a heading in a link, as code hosts make it. */
export function slugOf(text, used) {
  const slug = text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
    .trim()
    .replaceAll(" ", "-");
  const times = used.get(slug) ?? 0;
  used.set(slug, times + 1);
  return times === 0 ? slug : `${slug}-${times}`;
}
