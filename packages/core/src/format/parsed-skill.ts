import { MAY_HIDE } from "../internal/hidden-characters.ts";
import type { Finding, Reporter } from "./reporter.ts";
import type { Rule } from "./rules/rule.ts";
import type { SkillParts } from "./text/split-frontmatter.ts";
import type { ToolRule } from "./tool-rules.ts";
import { createRepairMap, type Insertion } from "./yaml/repair-yaml.ts";
import type { YamlEntry, YamlMap, YamlValue } from "./yaml/yaml-node.ts";

export type RunMode = "inline" | "subagent";

/** What is needed to list a skill: level 1, and how it may be invoked. */
export interface SkillMetadata {
  readonly name: string;
  readonly description: string;
  readonly version?: string;
  readonly disableModelInvocation: boolean;
  readonly userInvocable: boolean;
  readonly runMode: RunMode;
  /** Refused for models by a safety rule; people still see it with its diagnostics. */
  readonly hiddenFromModel: boolean;
  /** The author's own key-value pairs. Models never see them at level 1. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Absent when the skill declares nothing; empty when it declares that it needs no tool. */
  readonly allowedTools?: readonly ToolRule[];
}

/** A SKILL.md as the rest of the system sees it. */
export interface ParsedSkill extends SkillMetadata {
  readonly license?: string;
  readonly compatibility?: string;
  readonly author?: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Keys this version does not know, in file order, uninterpreted. */
  readonly extra: Readonly<Record<string, YamlValue>>;
  /** Markdown after the frontmatter, newlines normalised and otherwise untouched. */
  readonly body: string;
  /** 1-based line of the file on which the body starts. */
  readonly bodyLine: number;
}

/** The text fields, of which a list of skills has only some. */
export type SkillHead = SkillMetadata &
  Partial<Pick<ParsedSkill, "license" | "compatibility" | "author">>;

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A skill while it is being read: its frontmatter as nodes, and a way to report about them. */
export interface Draft {
  readonly parts: SkillParts;
  readonly directoryName: string | undefined;
  readonly frontmatter: YamlMap;
  /** Entries by canonical key, misspelt keys included; filled while fields are read. */
  readonly fields: Map<string, YamlEntry>;
  readonly reporter: Reporter;
  /** The frontmatter has only printable ASCII and no escapes. */
  readonly isPlain: boolean;
  /** It has controls, characters that hide or reorder text, or escapes that may stand for them. */
  readonly mayHide: boolean;
  /** The offset, as nodes count it, of a character of the frontmatter as written: a repair moves nodes. */
  nodeOffset(offset: number): number;
  /** Offsets of a node, as spans of the whole file. */
  spanOf(node: Span): Span;
  report(rule: Rule, node: Span, finding: Omit<Finding, "start" | "end">): void;
}

interface DraftOptions {
  readonly parts: SkillParts;
  readonly directoryName: string | undefined;
  readonly frontmatter: YamlMap;
  readonly insertions: readonly Insertion[];
  readonly reporter: Reporter;
}

const NOT_PLAIN = /[^\x20-\x5b\x5d-\x7e\n]/;

export function createDraft(options: DraftOptions): Draft {
  const { parts, directoryName, frontmatter, insertions, reporter } = options;
  const beforeRepair = insertions.length === 0 ? undefined : createRepairMap(insertions);
  const place = (offset: number) => parts.start + (beforeRepair?.(offset) ?? offset);
  const text = parts.text.slice(parts.start, parts.end);
  const isPlain = !NOT_PLAIN.test(text);
  const spanOf = ({ start, end }: Span): Span => ({ start: place(start), end: place(end) });
  return {
    parts,
    directoryName,
    frontmatter,
    fields: new Map(),
    reporter,
    isPlain,
    mayHide: !isPlain && MAY_HIDE.test(text),
    nodeOffset: (offset) =>
      insertions.reduce(
        (sum, { at, text: added }) => (at <= offset ? sum + added.length : sum),
        offset,
      ),
    spanOf,
    report: (rule, node, finding) => reporter.report(rule, { ...spanOf(node), ...finding }),
  };
}
