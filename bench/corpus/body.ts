import { chineseSentence, englishSentence, prose, typographicSentence } from "./prose.ts";
import type { Random } from "./random.ts";
import { words } from "./words.ts";

type Sentence = (random: Random) => string;

const HEADINGS = [
  "Overview",
  "When to use",
  "Quick start",
  "Workflow",
  "Inputs",
  "Outputs",
  "Examples",
  "Error handling",
  "Troubleshooting",
  "Best practices",
  "Checklist",
  "References",
] as const;

/** A Markdown body of about this many bytes. */
export function body(random: Random, title: string, bytes: number): string {
  const sentence = random.weighted<Sentence>([
    [48, englishSentence],
    [49, mostlyEnglish],
    [3, chineseSentence],
  ]);
  const parts = [`# ${title}\n`];
  let written = title.length + 4;
  while (written < bytes) {
    const part = block(random, sentence);
    parts.push(part);
    written += Buffer.byteLength(part) + 1;
  }
  return `\n${parts.join("\n")}`;
}

/** One character beyond Latin-1 is enough to double the memory of a text, as in real files. */
function mostlyEnglish(random: Random): string {
  return random.chance(0.1) ? typographicSentence(random) : englishSentence(random);
}

function block(random: Random, sentence: Sentence): string {
  const { verbs, nouns, tools } = words;
  const line = () => sentence(random);
  const lines = (low: number, high: number) =>
    Array.from({ length: random.integer(low, high) }, line);
  return random.weighted<() => string>([
    [5, () => `${"#".repeat(random.integer(2, 4))} ${random.pick(HEADINGS)}\n`],
    [4, () => `${prose(random, random.integer(120, 500), sentence)}\n`],
    [
      4,
      () =>
        `${lines(2, 7)
          .map((text) => `- **${random.pick(nouns)}** ${text}`)
          .join("\n")}\n`,
    ],
    [
      2,
      () =>
        `${lines(2, 6)
          .map((text, i) => `${i + 1}. ${text}`)
          .join("\n")}\n`,
    ],
    [3, () => codeBlock(random)],
    [1, () => table(random)],
    [1, () => `See [${random.pick(nouns)}](references/${random.pick(nouns)}.md). ${line()}\n`],
    [1, () => `Run \`scripts/${random.pick(verbs)}.py --${random.pick(nouns)}\`. ${line()}\n`],
    [0.5, () => `> Needs ${random.pick(tools)}. ${line()}\n`],
    [0.1, () => `<!-- ${line()} -->\n`],
  ])();
}

function codeBlock(random: Random): string {
  const { verbs, nouns } = words;
  const statements = Array.from({ length: random.integer(3, 14) }, () => {
    const name = `${random.pick(verbs)}_${random.pick(nouns).replaceAll("-", "_")}`;
    return `${random.pick(["", "  ", "    "])}${name} = load("${random.pick(nouns)}.json")`;
  });
  const fence = "```";
  const language = random.pick(["python", "bash", "ts", "json", ""]);
  return `${fence}${language}\n${statements.join("\n")}\n${fence}\n`;
}

function table(random: Random): string {
  const rows = Array.from(
    { length: random.integer(2, 8) },
    () => `| ${random.pick(words.nouns)} | ${englishSentence(random)} |`,
  );
  return `| Item | Note |\n| --- | --- |\n${rows.join("\n")}\n`;
}
