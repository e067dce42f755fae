import { breakYaml } from "./break-yaml.ts";
import { FAMILIES } from "./families.ts";
import { type KeyShape, OPTIONAL_KEYS } from "./optional-keys.ts";
import {
  chineseSentence,
  colonSentence,
  emojiSentence,
  englishSentence,
  prose,
  typographicSentence,
} from "./prose.ts";
import type { Random } from "./random.ts";
import { plain, type WriteText, wrappedPlain } from "./scalars.ts";

type Sentence = (random: Random) => string;

/** The median is 174; a text is cut at the word before its length. */
const DESCRIPTION_LENGTH = { median: 178, p99: 688, max: 1929 };
/** Chinese says in a character what English says in several. */
const CHINESE_SHORTER = 0.3;

const BROKEN = 0.004;
const COMMENTED = 0.02;
const COMMENTED_VALUE = 0.01;
const NAME_MISSING = 0.004;
const DESCRIPTION_MISSING = 0.002;

/** A frontmatter block without its delimiters, ending with a line break. */
export function frontmatter(random: Random, name: string): string {
  const family = random.weighted(FAMILIES.map((one) => [one.share, one]));
  const { plainOnly = false } = family;
  const taken = new Set(family.keys.map(({ key }) => key));
  const optional = OPTIONAL_KEYS.filter(({ key }) => !taken.has(key));
  const entries: string[] = [];
  if (!random.chance(NAME_MISSING)) {
    entries.push(!plainOnly && random.chance(0.03) ? `name: "${name}"` : `name: ${name}`);
  }
  if (!random.chance(DESCRIPTION_MISSING)) {
    entries.push(`description:${description(random, random.weighted(family.description))}`);
  }
  for (const shape of [...family.keys, ...optional]) {
    const entry = random.chance(shape.share) ? write(shape, random, plainOnly) : undefined;
    if (entry !== undefined) entries.push(entry);
  }
  if (!plainOnly) addComments(entries, random);
  const block = `${entries.join("\n")}\n`;
  return random.chance(BROKEN) ? breakYaml(block, random) : block;
}

function write(
  { key, ...shape }: KeyShape,
  random: Random,
  plainOnly: boolean,
): string | undefined {
  const value = plainOnly ? shape.plain : (shape.rich ?? shape.plain);
  return value && `${key}:${value(random)}`;
}

function description(random: Random, write: WriteText): string {
  const sentence = random.weighted<Sentence>([
    [90, englishSentence],
    [6, typographicSentence],
    [3, chineseSentence],
    [1, emojiSentence],
  ]);
  const length = random.size(DESCRIPTION_LENGTH);
  const wanted = sentence === chineseSentence ? length * CHINESE_SHORTER : length;
  const isPlain = write === plain || write === wrappedPlain;
  const colon = !isPlain && random.chance(0.3) ? ` ${colonSentence(random)}` : "";
  return write(prose(random, Math.max(20, wanted - colon.length), sentence) + colon, random);
}

function addComments(entries: string[], random: Random): void {
  if (random.chance(COMMENTED)) entries.splice(1, 0, "# maintained by hand");
  const last = entries.at(-1);
  if (random.chance(COMMENTED_VALUE) && last !== undefined && /^[\w-]+: \w[^\n"':]*$/.test(last)) {
    entries[entries.length - 1] = `${last} # checked`;
  }
}
