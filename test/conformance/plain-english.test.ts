import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
/** `packs` and `evals` still have the old voice in places; a package that is done is added here. */
const PACKAGES = ["agent", "app", "cli", "core", "mcp", "runtime"];
/** These two quote the rules of `packs` and the titles of tests. */
const QUOTING = new Set(["scan-rules.md", "attack-cases.md"]);
const PAGES = [
  "README.md",
  "SECURITY.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md") && !QUOTING.has(name))
    .map((name) => `docs/${name}`),
];

/** What reads as if translated. "There is no …" is plain. */
const HABITS: readonly RegExp[] = [
  /(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b|one\b)/i,
  /\b(?:stands?|standing) (?:in(?! for)|behind|below|between|there)\b/i,
  /\b(?:nobody|somebody|anybody|whoever)\b/i,
  /\bmend(?:s|ed|ing)?\b/i,
  /\b1 (?:files|lines|skills|errors|warnings|changes|steps|cases|runs)\b/,
  /\b(?:what came of|so that it is known|cannot be told from|has to do with a|so many)\b/i,
];

const COMMENT = String.raw`\/\*[^]*?\*\/|\/\/[^\n]*`;
const TEXT = String.raw`"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|` + "`((?:[^`\\\\]|\\\\.)*)`";
/** So that a quotation mark in a pattern opens no text. */
const PATTERN = String.raw`(?<=[(=,:?|&[]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/`;

/** The texts of a source that are sentences, or parts of them. */
function sentencesOf(source: string): string[] {
  const all = source.matchAll(new RegExp(`${COMMENT}|${PATTERN}|${TEXT}`, "g"));
  return Array.from(
    all,
    ([, double, single, template]) => double ?? single ?? template ?? "",
  ).filter((text) => /\w \w/.test(text) && !text.includes(";\n"));
}

function sourcesOf(name: string): string[] {
  const folder = `packages/${name}/src`;
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" });
  return files.filter((file) => /(?<!\.test)\.ts$/.test(file)).map((file) => join(folder, file));
}

function habitsIn(file: string, texts: readonly string[]): string[] {
  return texts.flatMap((text) => {
    const habit = HABITS.map((one) => one.exec(text)?.[0]).find((found) => found !== undefined);
    return habit === undefined ? [] : [`${file}: "${habit}" in: ${text.slice(0, 120)}`];
  });
}

it("C-01 finds the habits, in texts and not in comments", () => {
  const source = `// nobody\nconst a = "the input is no object"; /* so many */ const b = /"/; call('it stands in a file');`;
  expect(habitsIn("x.ts", sentencesOf(source))).toHaveLength(2);
  expect(habitsIn("x.ts", ["there is no such file", "it is no longer there"])).toEqual([]);
});

it.each(PACKAGES)("C-01 messages of %s are plain English", (name) => {
  const found = sourcesOf(name).flatMap((file) =>
    habitsIn(file, sentencesOf(readFileSync(join(ROOT, file), "utf8"))),
  );
  expect(found).toEqual([]);
});

it.each(PAGES)("C-01 %s is plain English", (page) => {
  const text = readFileSync(join(ROOT, page), "utf8");
  expect(habitsIn(page, text.split("\n"))).toEqual([]);
});
