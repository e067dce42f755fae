import { createRandom } from "../corpus/random.ts";
import { cutToBytes, fill, HOSTILE_BYTES } from "./fill.ts";
import type { HostileInput } from "./hostile-frontmatter.ts";

const HEAD = "---\nname: hostile\ndescription: Reads a file. Use when asked.\n---\n";

const BODIES: Readonly<Record<string, string>> = {
  "backtick pairs": fill("`a"),
  "a comment and backtick pairs": `<!-- -->${fill("`a")}`,
  "a comment and backtick runs, each longer": `<!-- -->${fill((i) => `${"`".repeat(i + 1)} `)}`,
  "backtick runs of two lengths": `${fill("`a``b").slice(0, 15_000)}\`\`\``,
  "backtick runs, each longer": fill((i) => `${"`".repeat(i + 1)} `),
  "one backtick run": fill("`"),
  "backtick lines": fill("`a`\n"),
  "fences, open": fill("```\n"),
  "fences, each longer": fill((i) => `${"`".repeat(i + 3)}\n`),
  tildes: fill("~~~ a\n"),
  "](": fill("]("),
  "links, never closed": fill('[a](b "'),
  links: fill("[a](b) "),
  definitions: fill("[a]: b\n"),
  brackets: fill("["),
  mentions: fill("scripts/a.py "),
  "mention paths": fill("scripts/a/"),
  "comments, open": fill("<!--"),
  "comments, closed": fill("<!---->"),
  "comments, closed, one per line": fill("<!---->\n"),
  hashes: fill("#"),
  "hashes and blanks": fill("# "),
  "hash lines": fill("#\n"),
  headings: fill("# a\n"),
  "heading of blanks": fill(`# ${" ".repeat(200)}x\n`),
  "headings of near words": fill("# how quick edge see verif\n"),
  "deep lists": fill((i) => `${" ".repeat(i)}- a\n`),
  quotes: fill("> "),
  "do not do not": fill("do not "),
  "do not tell the": fill("do not tell the "),
  "do, blanks, not": fill(`do${" ".repeat(300)}not${" ".repeat(300)}tell `),
  "never, line breaks": fill(`never${"\n".repeat(300)}`),
  "setext underlines": fill("=\n"),
  "setext headings": fill("a\n=\n"),
  "setext, long": fill(`a\n${"-".repeat(300)} x\n`),
  blanks: fill(" "),
  "line breaks": fill("\n"),
  "carriage returns": fill("\r"),
  "astral characters": fill("\u{1F680}"),
  joiners: fill("\u200D"),
  "tag characters": fill("\u{E0041}"),
  "lone surrogates": fill("\ud800"),
  marks: fill("!?"),
  "one word": fill("a"),
};

/** SKILL.md files with 16 KiB of Markdown that is made to be slow to read. */
export function hostileBodies(seed: number): HostileInput[] {
  const random = createRandom(seed);
  const marks = "`~[]()<!->#=*_ \n\nab";
  const bodies = {
    ...BODIES,
    "random Markdown": fill(() => marks.charAt(random.integer(0, marks.length - 1))),
    "random units": fill(() => String.fromCharCode(random.integer(0, 0xffff))),
  };
  return Object.entries(bodies).map(([name, body]) => ({
    name: `body of ${name}`,
    text: HEAD + cutToBytes(body, HOSTILE_BYTES),
  }));
}
