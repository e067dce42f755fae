/** A key of its own or of `metadata`, and a text on the same line that no reader takes for anything else. */
const KEY = String.raw`(?: {2})?(?!(?:true|false|null|metadata):)[a-z]+(?:-[a-z]+)*`;
const WORDS = String.raw`(?!(?:true|false|null) *$)[A-Za-z](?:[!"$-9;-~]|:(?=[!-~])| (?!#))*`;
const LINE = new RegExp(`^${KEY}: (?:${WORDS}|"[ !#-\\[\\]-~]*"|'[ -&(-~]*')$`, "i");

/**
 * Whether the frontmatter of a SKILL.md is so plain that everybody who reads YAML reads the same in it.
 * That is most of them, and to ask the SDK takes longer than all the rest.
 */
export function isPlainHead(skillFile: string): boolean {
  const end = skillFile.indexOf("\n---\n");
  if (end === -1 || !skillFile.startsWith("---\n")) return false;
  const lines = skillFile.slice("---\n".length, end).split("\n");
  return lines.every((line, at) => {
    if (line === "metadata:") return lines[at + 1]?.startsWith("  ") === true;
    return LINE.test(line);
  });
}
