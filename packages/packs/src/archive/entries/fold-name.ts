// oxlint-disable-next-line no-control-regex -- ASCII has no other forms
const ASCII = /^[\x00-\x7f]*$/;

/**
 * What is equal for two names that some file system takes for one: without case, as Unicode and
 * as macOS fold it (`ß` is `ss`), in one form of composed characters, and without characters that
 * are not to be seen.
 */
export function foldName(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase();
  return name
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKC");
}
