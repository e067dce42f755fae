import { createRandom } from "../corpus/random.ts";
import { cutToBytes, fill, HOSTILE_BYTES } from "./fill.ts";
import { AFTER_HEAD, DESCRIPTIONS, NAMES } from "./hostile-values.ts";

export interface HostileInput {
  readonly name: string;
  /** A complete SKILL.md. */
  readonly text: string;
}

const HEAD = "name: hostile\ndescription: Reads a file. Use when asked.\n";
const LONGEST_LINE = 200;

/** SKILL.md files of which the frontmatter has all the bytes it may have, and ill intent. */
export function hostileFrontmatter(seed: number): HostileInput[] {
  const random = createRandom(seed);
  const character = (from: string) => () => from.charAt(random.integer(0, from.length - 1));
  const blocks: Record<string, string> = {
    ...mapValues(AFTER_HEAD, (text) => HEAD + text),
    ...mapKeys(DESCRIPTIONS, "description of", (text) => `name: hostile\ndescription: ${text}`),
    ...mapKeys(NAMES, "name of", (text) => `description: Use when asked.\nname: ${text}`),
    "random bytes": HEAD + fill(() => String.fromCharCode(random.integer(0, 255))),
    "random units": HEAD + fill(() => String.fromCharCode(random.integer(0, 0xffff))),
    "nothing but [": fill("["),
    "nothing but - ": fill("- "),
    "nothing but ? ": fill("? "),
    "nothing but quotes": fill('"'),
  };
  for (let i = 0; i < 20; i++) {
    blocks[`random punctuation ${i}`] = HEAD + fill(character("-?:,[]{}#&*!|>'\"%@` \n\n  ab"));
    blocks[`random lines ${i}`] =
      HEAD + fill((line) => `k${line}: ${character("[{'\"&*!|>@-a")()}b\n`);
  }
  return Object.entries(blocks).map(([name, block]) => ({ name, text: document(block) }));
}

/** Cuts at a line's end if one is near: half a key would make the rest unreadable. */
function document(block: string): string {
  const cut = cutToBytes(block, HOSTILE_BYTES - 1);
  const lineEnd = cut.length < block.length ? cut.lastIndexOf("\n") : -1;
  const whole = lineEnd > cut.length - LONGEST_LINE ? cut.slice(0, lineEnd) : cut;
  return `---\n${whole}\n---\n\n# Hostile\n`;
}

function mapValues(
  texts: Readonly<Record<string, string>>,
  map: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, map(text)]));
}

function mapKeys(
  texts: Readonly<Record<string, string>>,
  prefix: string,
  map: (text: string) => string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [`${prefix} ${name}`, map(text)]),
  );
}
