import type { Diagnostic } from "../format/diagnostic.ts";
import type { RunMode } from "../format/parsed-skill.ts";
import type { ToolRule } from "../format/tool-rules.ts";

/** A skill as the registry knows it: level 1, where it is, and what may be done with it. */
export interface SkillRecord {
  /** Source, relative path and version: `project:pdf@1.2`. Names may repeat, ids do not. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly version?: string;
  /** `project`, `user`, `builtin`, or a label. */
  readonly source: string;
  readonly root: string;
  readonly relativePath: string;
  /** The skill's folder; `inline:<name>` for a skill defined in code. */
  readonly path: string;
  /** Of a skill that is in no folder here: where its source has it. */
  readonly uri?: string;
  /** Other folders that hold the same content. */
  readonly alsoAt: readonly string[];
  /** The sources of those folders, in the same order. */
  readonly alsoFrom: readonly string[];
  /** Whether the skill itself lets a model, or a person, call it. */
  readonly modelInvocable: boolean;
  readonly userInvocable: boolean;
  readonly runMode: RunMode;
  /** The author's own key-value pairs; empty when there are none. For people and hosts, not for models. */
  readonly metadata: Readonly<Record<string, string>>;
  /** What `allowed-tools` declares. Absent when the skill declares nothing. */
  readonly allowedTools?: readonly ToolRule[];
  /** Whether the host lets it be disclosed and run. */
  readonly trusted: boolean;
  readonly enabled: boolean;
  /** Id of the skill of the same name that comes first. */
  readonly shadowedBy?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a model may know of: allowed by the skill, trusted, and not switched off. */
export function isVisibleToModel(record: SkillRecord): boolean {
  return record.modelInvocable && record.trusted && record.enabled;
}

/** Where it is, in words for people. */
export function placeText({ source, uri, path }: SkillRecord): string {
  return uri === undefined ? path : `${source} (${uri})`;
}

const FOLDED = /^[a-z0-9:@./-]*$/;

/** Names are compared without regard to case and Unicode form. */
export function foldName(name: string): string {
  return FOLDED.test(name) ? name : name.normalize("NFKC").toLowerCase();
}
