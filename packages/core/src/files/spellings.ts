/** A path, and the same with the other spelling of the folder for references. */
export function spellings(path: string): string[] {
  const folder = /^references?(?=\/|$)/.exec(path)?.[0];
  if (folder === undefined) return [path];
  const other = folder === "reference" ? "references" : "reference";
  return [path, `${other}${path.slice(folder.length)}`];
}
