import type { Random } from "./random.ts";
import { words } from "./words.ts";

type Form = (random: Random) => string;

/** A little under half of the public `metadata` mappings hold only text. */
const FORMS: readonly (readonly [weight: number, form: Form])[] = [
  [45, (random) => `\n${texts(random).join("\n")}`],
  [25, (random) => `\n${[...texts(random), ...numbers(random)].join("\n")}`],
  [15, (random) => `\n${[...texts(random), ...nestedList(random)].join("\n")}`],
  [10, (random) => `\n${[...texts(random), ...nestedMap(random)].join("\n")}`],
  [5, (random) => ` ${flow(random)}`],
];

export const metadata: Form = (random) => random.weighted(FORMS)(random);

function texts(random: Random): string[] {
  const lines = [`  author: ${random.pick(words.authors)}`];
  if (random.chance(0.7)) lines.push(`  version: "1.${random.integer(0, 9)}.0"`);
  if (random.chance(0.4)) lines.push(`  category: ${random.pick(words.nouns)}`);
  if (random.chance(0.2)) lines.push(`  homepage: https://example.com/${random.pick(words.nouns)}`);
  return lines;
}

function numbers(random: Random): string[] {
  const lines = [`  schema: ${random.integer(1, 3)}.${random.integer(0, 9)}`];
  if (random.chance(0.4)) lines.push(`  verified: ${random.chance(0.5)}`);
  if (random.chance(0.3)) lines.push(`  updated: 2026-0${random.integer(1, 9)}-15`);
  return lines;
}

function nestedList(random: Random): string[] {
  const tags = Array.from({ length: random.size({ median: 4, p99: 66, max: 450 }) }, () =>
    random.pick(words.nouns),
  );
  if (random.chance(0.4)) return [`  tags: [${tags.join(", ")}]`];
  return ["  tags:", ...tags.map((tag) => `    - ${tag}`)];
}

function nestedMap(random: Random): string[] {
  const bins = Array.from({ length: random.integer(1, 3) }, () => random.pick(words.tools));
  return [
    "  runtime:",
    `    category: "${random.pick(words.nouns)}"`,
    "    requires:",
    "      bins:",
    ...bins.map((bin) => `        - ${bin.toLowerCase()}`),
  ];
}

function flow(random: Random): string {
  const bins = [random.pick(words.tools).toLowerCase()];
  const emoji = random.pick(words.emoji);
  return JSON.stringify({ runtime: { emoji, requires: { bins }, always: random.chance(0.5) } });
}
