import type { Reporter } from "./reporter.ts";
import {
  frontmatterMissing,
  frontmatterNotFirst,
  frontmatterTooLarge,
  frontmatterUnclosed,
  yamlAlias,
  yamlDuplicateKey,
  yamlInvalid,
  yamlNotAMapping,
  yamlPrototypeKey,
  yamlRepaired,
  yamlTag,
  yamlTooDeep,
} from "./rules/syntax-rules.ts";
import { type SkillParts, splitFrontmatter } from "./text/split-frontmatter.ts";
import { readYaml, type YamlFailure } from "./yaml/read-yaml.ts";
import { type Insertion, repairFindings, repairYaml } from "./yaml/repair-yaml.ts";
import type { YamlMap, YamlNode } from "./yaml/yaml-node.ts";

const MAX_FRONTMATTER_BYTES = 16 * 1024;

const RULE_OF = {
  invalid: yamlInvalid,
  "too-deep": yamlTooDeep,
  alias: yamlAlias,
  tag: yamlTag,
  "duplicate-key": yamlDuplicateKey,
  "prototype-key": yamlPrototypeKey,
} as const;

const HINT_OF = {
  "too-deep": "flatten it; a skill needs no more than a level or two",
  alias: "write the value out",
  tag: "quote the value instead",
  "duplicate-key": "remove one of the two",
  "prototype-key": "choose another name for the key",
} as const;

/** Finds the frontmatter, or reports why there is none that may be read. */
export function locateFrontmatter(text: string, reporter: Reporter): SkillParts | undefined {
  const split = splitFrontmatter(text);
  if (split.found === "none") {
    reporter.report(frontmatterMissing, missingFinding(text));
    return undefined;
  }
  if (split.found === "opening") {
    const { opening } = split;
    const hint = "add a line that is only `---` after the last field";
    const message = "the frontmatter is never closed";
    reporter.report(frontmatterUnclosed, { start: opening, end: opening + 3, message, hint });
    return undefined;
  }
  const { start, end, opening } = split.parts;
  if (opening > 0) {
    const message = "there are blank lines before the frontmatter";
    const fix = [{ start: 0, end: opening, text: "" }];
    reporter.report(frontmatterNotFirst, { start: 0, message, hint: "remove them", fix });
  }
  const bytes = byteLength(text, start, end);
  if (bytes > MAX_FRONTMATTER_BYTES) {
    const message = `the frontmatter has ${bytes} bytes, ${MAX_FRONTMATTER_BYTES} are allowed`;
    const hint = "move long text to the body or to a file under `references/`";
    reporter.report(frontmatterTooLarge, { start: opening, end: opening + 3, message, hint });
    return undefined;
  }
  return split.parts;
}

export interface ReadFrontmatter {
  readonly map: YamlMap;
  /** What a repair put in; empty for a file that could be read as it is. */
  readonly insertions: readonly Insertion[];
}

/** Reads the YAML, repairing what can be repaired, or reports why it cannot be read. */
export function readFrontmatter(
  parts: SkillParts,
  reporter: Reporter,
): ReadFrontmatter | undefined {
  const text = parts.text.slice(parts.start, parts.end);
  const first = readYaml(text);
  if (first.ok) return mapping(first.node, [], parts, reporter);
  const isGrammar = first.problem === "invalid";
  const repaired = isGrammar ? repairYaml(text, (entry) => readYaml(entry).ok) : undefined;
  const second = repaired && readYaml(repaired.text);
  if (repaired === undefined || second?.ok !== true) {
    reportFailure(first, parts, reporter);
    return undefined;
  }
  for (const finding of repairFindings(repaired, parts.start)) {
    reporter.report(yamlRepaired, finding);
  }
  return mapping(second.node, repaired.insertions, parts, reporter);
}

function mapping(
  node: YamlNode,
  insertions: readonly Insertion[],
  parts: SkillParts,
  reporter: Reporter,
): ReadFrontmatter | undefined {
  if (node.kind === "map") return { map: node, insertions };
  const what = node.kind === "list" ? "a list" : node.value === null ? "empty" : "a single value";
  const message = `the frontmatter is ${what}, not a list of \`key: value\` lines`;
  reporter.report(yamlNotAMapping, { start: parts.start, message });
  return undefined;
}

function reportFailure(failure: YamlFailure, parts: SkillParts, reporter: Reporter): void {
  const { problem, reason, start, end } = failure;
  const hint = problem === "invalid" ? hintFor(reason) : HINT_OF[problem];
  reporter.report(RULE_OF[problem], {
    start: parts.start + start,
    end: parts.start + end,
    message: problem === "invalid" ? `this is not valid YAML: ${reason}` : reason,
    ...(hint === undefined ? undefined : { hint }),
  });
}

function hintFor(reason: string): string | undefined {
  if (/\btabs?\b/.test(reason)) return "indent with blanks; YAML does not allow tabs there";
  if (reason.includes("quoted")) return "close the quote, or double a quote inside single quotes";
  if (reason.includes("indentation")) return "quote the value, or line it up with its neighbours";
  return undefined;
}

function missingFinding(text: string) {
  const content = text.trim();
  const path = content.length < 256 && /^[^\s:]+\/[^\s:]+$/.test(content);
  const message = path
    ? `the file holds only the path \`${content}\``
    : content === ""
      ? "the file is empty"
      : "the file does not start with frontmatter";
  const hint = path
    ? "this is a symbolic link checked out as text; check it out again with links enabled"
    : "start the file with `---`, a `name` and a `description`, and `---` again";
  return { start: 0, message, hint };
}

function byteLength(text: string, start: number, end: number): number {
  const length = end - start;
  if (length * 3 <= MAX_FRONTMATTER_BYTES) return length;
  return new TextEncoder().encode(text.slice(start, end)).length;
}
