import { allowedTools, plainAllowedTools } from "./allowed-tools.ts";
import { metadata } from "./metadata.ts";
import { prose } from "./prose.ts";
import type { Random } from "./random.ts";
import { words } from "./words.ts";

/** A key besides name and description, and what is written behind its colon. */
export interface KeyShape {
  readonly key: string;
  /** Share of the files that have it. */
  readonly share: number;
  /** One plain line; a file of plain lines leaves out a key without it. */
  readonly plain?: Write;
  /** What other files write; default: `plain`. */
  readonly rich?: Write;
}

export type Write = (random: Random) => string;

const { nouns, tools, authors, verbs } = words;

export const word =
  (items: readonly string[]): Write =>
  (random) =>
    ` ${random.pick(items)}`;
export const quoted =
  (write: Write): Write =>
  (random) =>
    ` "${write(random).trim()}"`;
export const blockList =
  (items: readonly string[], indent = "  "): Write =>
  (random) =>
    `\n${several(items, random)
      .map((item) => `${indent}- ${item}`)
      .join("\n")}`;
export const flowList =
  (items: readonly string[]): Write =>
  (random) =>
    ` [${several(items, random).join(", ")}]`;
const quotedFlowList =
  (items: readonly string[]): Write =>
  (random) =>
    ` [${several(items, random)
      .map((item) => `"${item}"`)
      .join(", ")}]`;
export const oneOf =
  (...choices: readonly Write[]): Write =>
  (random) =>
    random.pick(choices)(random);

export const date: Write = (random) => ` 2026-0${random.integer(1, 4)}-${random.integer(10, 28)}`;
export const semver: Write = (random) => ` ${random.integer(0, 3)}.${random.integer(0, 9)}.0`;
export const url: Write = (random) => ` https://example.com/skills/${random.pick(nouns)}`;

const lists = oneOf(blockList(nouns), blockList(nouns, ""), flowList(nouns), quotedFlowList(nouns));
const bool = word(["true", "false"]);
const license = word(["MIT", "MIT", "Apache-2.0", "Proprietary. LICENSE.txt has complete terms"]);

/** Keys that come and go on their own; those of a family of skills are with the family. */
export const OPTIONAL_KEYS: readonly KeyShape[] = [
  { key: "license", share: 0.1, plain: license },
  { key: "metadata", share: 0.22, rich: metadata },
  { key: "version", share: 0.09, plain: semver, rich: oneOf(semver, quoted(semver)) },
  {
    key: "author",
    share: 0.085,
    plain: word(authors),
    rich: oneOf(word(authors), quoted(word(authors))),
  },
  { key: "tags", share: 0.095, rich: lists },
  { key: "allowed-tools", share: 0.054, plain: plainAllowedTools, rich: allowedTools },
  { key: "category", share: 0.036, plain: word(nouns) },
  { key: "origin", share: 0.024, plain: word(authors) },
  { key: "tools", share: 0.023, plain: word(tools), rich: lists },
  { key: "homepage", share: 0.02, plain: url },
  {
    key: "argument-hint",
    share: 0.019,
    rich: (random) => ` "[${random.pick(nouns)}] [--${random.pick(verbs)}]"`,
  },
  { key: "dependencies", share: 0.015, plain: word(tools), rich: lists },
  { key: "user-invocable", share: 0.014, plain: bool },
  { key: "d3fend_techniques", share: 0.009, rich: blockList(nouns, "") },
  { key: "compatibility", share: 0.0065, plain: (random) => ` ${prose(random, 90)}` },
  { key: "context", share: 0.005, plain: word(["fork", "project", "global"]) },
  { key: "handler", share: 0.005, plain: word(verbs) },
  { key: "user-invokable", share: 0.0045, plain: bool },
  { key: "capabilities", share: 0.0045, rich: lists },
  { key: "triggers", share: 0.0044, rich: lists },
  { key: "package", share: 0.0043, plain: word(nouns) },
  { key: "model", share: 0.0037, plain: word(["inherit", "small", "large"]) },
  { key: "disable-model-invocation", share: 0.0031, plain: word(["true"]) },
  {
    key: "hooks",
    share: 0.0014,
    rich: () => "\n  PreToolUse:\n    - matcher: Bash\n      command: check.sh",
  },
  { key: "allowedTools", share: 0.0007, rich: quotedFlowList(tools) },
  { key: "allowed_tools", share: 0.0005, rich: blockList(tools) },
];

function several(items: readonly string[], random: Random): string[] {
  const count = random.size({ median: 4, p99: 66, max: 450 });
  return Array.from({ length: Math.max(1, count) }, () => random.pick(items));
}
