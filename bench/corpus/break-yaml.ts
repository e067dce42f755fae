import { colonSentence, prose } from "./prose.ts";
import type { Random } from "./random.ts";
import { words } from "./words.ts";

type Breakage = (block: string, random: Random) => string;

const DESCRIPTION = /^description:.*\n(?: .*\n|\n)*/m;

/** What is wrong with public frontmatter that does not parse, as often as it is. */
const BREAKAGES: readonly (readonly [weight: number, breakage: Breakage])[] = [
  [41, unquotedColon],
  [7, (block) => `${block}license: MIT\nlicense: MIT\n`],
  [6, (block, random) => `${block}argument-hint: [${random.pick(words.nouns)}] - optional\n`],
  [
    3,
    (block, random) => `${block}tags: [${random.pick(words.nouns)}, ${random.pick(words.tools)}\n`,
  ],
  [2, (block, random) => `${block}note: "${random.pick(words.nouns)}\n`],
  [2, (block) => `${block}category: a\n   indented: b\n`],
];

/** Makes a frontmatter block one that no YAML parser reads. */
export const breakYaml: Breakage = (block, random) => random.weighted(BREAKAGES)(block, random);

function unquotedColon(block: string, random: Random): string {
  const text = `${prose(random, random.integer(40, 200))} ${colonSentence(random)}`;
  return block.replace(DESCRIPTION, () => `description: ${text}\n`);
}
