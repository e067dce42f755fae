import { type ConformanceCase, DESCRIPTION, fileOf, inBothModes } from "./conformance-case.ts";

const HEAD = `name: dates\ndescription: ${DESCRIPTION}`;
const FRONTMATTER = `---\n${HEAD}\n---\n`;
const row = (
  id: string,
  text: string,
  rest: Omit<ConformanceCase, "id" | "text" | "requirement">,
): ConformanceCase => ({ id, requirement: "F-01", text, ...rest });

/** A file whose frontmatter, delimiters left out, has exactly this many bytes. */
function fileOfBytes(bytes: number, filler: string): string {
  const start = `${HEAD}\n# `;
  const count = Math.floor((bytes - start.length - 1) / Buffer.byteLength(filler));
  const comment = filler.repeat(count);
  const rest = "x".repeat(bytes - start.length - 1 - Buffer.byteLength(comment));
  return fileOf(start + comment + rest);
}

const accepted = {
  codes: [],
  loaded: true,
  skill: { name: "dates", body: "Body.\n", bodyLine: 5 },
};
const missing = { codes: ["error:frontmatter-missing"], loaded: false, at: [1, 1] } as const;
const unclosed = { codes: ["error:frontmatter-unclosed"], loaded: false, at: [1, 1] } as const;

export const delimiterCases: readonly ConformanceCase[] = [
  row("a minimal skill", fileOf(HEAD), accepted),
  row("a minimal skill is valid in strict mode", fileOf(HEAD), { ...accepted, strict: true }),
  row("a byte order mark", `\uFEFF${fileOf(HEAD)}`, { ...accepted, strict: true }),
  row("CRLF newlines", fileOf(HEAD).replaceAll("\n", "\r\n"), { ...accepted, strict: true }),
  row("CR newlines", fileOf(HEAD).replaceAll("\n", "\r"), { ...accepted, strict: true }),
  row("CRLF in the frontmatter, LF in the body", `${FRONTMATTER.replaceAll("\n", "\r\n")}Body.\n`, {
    ...accepted,
  }),
  row("blanks and tabs after the delimiters", `--- \n${HEAD}\n---\t \nBody.\n`, {
    ...accepted,
    strict: true,
  }),
  row("three hyphens inside a value", fileOf(`name: dates\ndescription: a --- b`), {
    codes: [],
    loaded: true,
    skill: { description: "a --- b", body: "Body.\n" },
  }),
  row("three hyphens at the end of a value", fileOf(`name: dates\ndescription: a ---`), {
    codes: [],
    loaded: true,
    skill: { description: "a ---" },
  }),
  row(
    "an indented delimiter line inside a block",
    fileOf("name: dates\ndescription: |\n  a\n  ---\n  b"),
    {
      codes: [],
      loaded: true,
      skill: { description: "a\n---\nb", bodyLine: 8 },
    },
  ),
  row(
    "a delimiter line inside quotes ends the frontmatter",
    fileOf('name: dates\ndescription: "a\n---\nb"'),
    {
      codes: ["error:yaml-invalid"],
      loaded: false,
    },
  ),
  row("delimiter lines in the body", `${FRONTMATTER}A\n---\nB\n---\n`, {
    codes: [],
    loaded: true,
    skill: { body: "A\n---\nB\n---\n" },
  }),
  row("a body is kept as it is", `${FRONTMATTER}\n  x \t\n\n\u00a0y\u2028z`, {
    codes: [],
    loaded: true,
    skill: { body: "\n  x \t\n\n\u00a0y\u2028z", bodyLine: 5 },
  }),
  row("neither body nor final newline", FRONTMATTER.trimEnd(), {
    codes: [],
    loaded: true,
    skill: { body: "", bodyLine: 5 },
  }),
  row("an empty file", "", missing),
  row("a file of blanks", " \n\t\n", missing),
  row("Markdown without frontmatter", "# Dates\n\nFormat dates.\n", missing),
  row("text before the frontmatter", `Hello\n${fileOf(HEAD)}`, missing),
  row("a symbolic link checked out as text", "../../shared/dates/SKILL.md", {
    ...missing,
    hint: "symbolic link",
  }),
  row("an indented opening line", ` ${fileOf(HEAD)}`, missing),
  row("four hyphens", `-${FRONTMATTER}`, missing),
  row("a comment after the opening hyphens", `--- # dates\n${HEAD}\n---\n`, missing),
  row("a no-break space after the opening hyphens", `---\u00a0\n${HEAD}\n---\n`, missing),
  ...inBothModes(
    row("blank lines before the frontmatter", `\n \n${fileOf(HEAD)}`, {
      codes: ["warning:frontmatter-not-first"],
      loaded: true,
      at: [1, 1],
      skill: { name: "dates", bodyLine: 7 },
    }),
    "frontmatter-not-first",
  ),
  row("no closing line", `---\n${HEAD}\nBody.\n`, unclosed),
  row("only an opening line", "---", unclosed),
  row("an indented closing line", `---\n${HEAD}\n ---\nBody.\n`, unclosed),
  row("a YAML end marker is no closing line", `---\n${HEAD}\n...\nBody.\n`, unclosed),
  row("an unclosed frontmatter after blank lines", `\n---\n${HEAD}\n`, { ...unclosed, at: [2, 1] }),
  row("16 KiB of frontmatter", fileOfBytes(16_384, "x"), { codes: [], loaded: true }),
  row("one byte more than 16 KiB", fileOfBytes(16_385, "x"), {
    codes: ["error:frontmatter-too-large"],
    loaded: false,
    at: [1, 1],
  }),
  row("bytes are counted, not characters", fileOfBytes(16_385, "語"), {
    codes: ["error:frontmatter-too-large"],
    loaded: false,
  }),
  row("16 KiB of long characters", fileOfBytes(16_384, "😀"), { codes: [], loaded: true }),
];
