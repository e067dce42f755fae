import { parseSkill } from "../../packages/core/src/format/parse-skill.ts";
import { headOf, normalizeText } from "../../packages/core/src/format/draft.ts";
import { readYaml } from "../../packages/core/src/format/yaml/read-yaml.ts";
import { parseHead } from "../../packages/core/src/sources/read-skill-head.ts";
import type { GeneratedSkill } from "../corpus.ts";

/** One line of `key: value` with nothing in it that YAML treats specially. */
const PLAIN_LINE = /^[\w-]+: (?![-?:,[\]{}#&*!|>'"%@`])(?:(?!: | #).)*$/;

/** Describes the corpus in lines: what is measured must look like what is out there. */
export function corpusStatistics(skills: readonly GeneratedSkill[]): string[] {
  const blocks = skills.map(({ frontmatter }) => normalizeText(frontmatter));
  const descriptions = skills.map(({ text }) => parseSkill(text).skill?.description.length ?? 0);
  const mismatches = skills.filter(({ text, directoryName }) =>
    hasCode(text, directoryName, "name-mismatch"),
  );
  const repaired = skills.filter(({ text }) => hasCode(text, undefined, "yaml-repaired"));
  const count = (test: (block: string) => boolean) => blocks.filter(test).length;
  const share = (name: string, found: number) =>
    `${name.padEnd(28)}${((found / skills.length) * 100).toFixed(2).padStart(8)} %`;
  return [
    sizes(
      "frontmatter, bytes",
      skills.map(({ frontmatter }) => Buffer.byteLength(frontmatter)),
    ),
    sizes(
      "file, bytes",
      skills.map(({ text }) => Buffer.byteLength(text)),
    ),
    sizes("description, characters", descriptions),
    share("only plain lines", count(isPlainOnly)),
    share("heads that need js-yaml", skills.filter(needsParser).length),
    share(
      "broken YAML",
      count((block) => !readYaml(block).ok),
    ),
    share("broken and repaired", repaired.length),
    share("name is not the folder's", mismatches.length),
  ];
}

function needsParser({ text, directoryName }: GeneratedSkill): boolean {
  const isAscii = Buffer.byteLength(text) === text.length;
  return parseHead({ text: headOf(text), isAscii }, { file: "", directoryName }) instanceof Promise;
}

function isPlainOnly(block: string): boolean {
  return block
    .trimEnd()
    .split("\n")
    .every((line) => PLAIN_LINE.test(line));
}

function hasCode(text: string, directoryName: string | undefined, code: string): boolean {
  const { diagnostics } = parseSkill(text, directoryName === undefined ? {} : { directoryName });
  return diagnostics.some((diagnostic) => diagnostic.code === code);
}

function sizes(name: string, values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
  return `${name.padEnd(28)}median ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)}`;
}
