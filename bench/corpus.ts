import { body } from "./corpus/body.ts";
import { frontmatter } from "./corpus/frontmatter.ts";
import { createRandom, type Random } from "./corpus/random.ts";
import { words } from "./corpus/words.ts";

export interface CorpusOptions {
  readonly count: number;
  /** The same seed gives the same skills. */
  readonly seed: number;
}

export interface GeneratedSkill {
  /** The whole SKILL.md. */
  readonly text: string;
  readonly directoryName: string;
  /** The block between the delimiters, as it is in `text`. */
  readonly frontmatter: string;
}

const FILE_BYTES = { median: 6607, p99: 37_296, max: 160_170 };
/** Delimiters, and half of the block with which a body goes over its size. */
const OVERHEAD = 160;
const CRLF = 0.02;
const BOM = 0.0004;

/**
 * Skills with the sizes, shapes, keys and mistakes of the 15,331 public SKILL.md files with
 * frontmatter that were counted in April 2026. All words are made up.
 */
export function generateCorpus({ count, seed }: CorpusOptions): GeneratedSkill[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => generateSkill(random));
}

function generateSkill(random: Random): GeneratedSkill {
  const { name, directoryName } = names(random);
  const block = frontmatter(random, name);
  const left = random.size(FILE_BYTES) - Buffer.byteLength(block) - OVERHEAD;
  const lines = `---\n${block}---\n${body(random, name, left)}`;
  const crlf = random.chance(CRLF);
  const text = crlf ? lines.replaceAll("\n", "\r\n") : lines;
  return {
    text: flat(random.chance(BOM) ? `\uFEFF${text}` : text),
    directoryName,
    frontmatter: flat(crlf ? block.replaceAll("\n", "\r\n") : block),
  };
}

function names(random: Random): { name: string; directoryName: string } {
  const { verbs, nouns, endings } = words;
  const first = random.chance(0.5) ? random.pick(verbs) : random.pick(words.tools).toLowerCase();
  const slug = `${first}-${random.pick(nouns)}-${random.pick(endings)}`;
  const title = slug.replace(/(?:^|-)[a-z]/g, (match) => match.replace("-", " ").toUpperCase());
  const [name, directoryName] = random.weighted<readonly [string, string]>([
    [872, [slug, slug]],
    [46, [slug, title.replaceAll(" ", "-")]],
    [18, [title, slug]],
    [14, [slug.replaceAll("-", "_"), slug]],
    [5, [slug.replace("-", ":"), slug]],
    [45, [slug, `${random.pick(nouns)}-${random.pick(endings)}`]],
  ]);
  return { name, directoryName };
}

/** In one piece, as if read from a file: a string that was joined is slow when first read. */
function flat(text: string): string {
  return Buffer.from(text).toString();
}
