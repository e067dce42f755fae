import type { ToolRule } from "./tool-rules/tool-rule.ts";
import type { YamlValue } from "./yaml/yaml-node.ts";

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
}

/** A SKILL.md as the rest of the system sees it. */
export interface ParsedSkill extends SkillMetadata {
  readonly license?: string;
  readonly compatibility?: string;
  readonly author?: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Absent when the skill declares nothing; empty when it declares that it needs no tool. */
  readonly allowedTools?: readonly ToolRule[];
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

export type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };
