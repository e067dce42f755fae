import type { ToolRule } from "@skillwright/core/internal";
import type { Decision, PolicySettings } from "./policy-settings.ts";
import type { RiskClass } from "./tools.ts";

/** Everything that a decision depends on. Nothing else is looked at: no file, no clock, no state. */
export interface PolicyRequest {
  /** The tool as it was called, under any of its names. */
  readonly tool: string;
  /** What it was called with: an object or its JSON text, its names in any case. */
  readonly input: unknown;
  /** The skill that the call names. Without one, the active skills count. */
  readonly skill?: PolicySkill;
  readonly activeSkills: readonly PolicySkill[];
  /** A tool of the host that it offers: it is on unless it is switched off. */
  readonly offered?: boolean;
  readonly settings: PolicySettings;
  readonly runPolicy?: NarrowingRules;
  readonly places: PolicyPlaces;
  /**
   * Where the paths of the call really lead, when a symlink is on the way. A rule that allows must
   * cover these too; a rule that denies needs only one of them.
   */
  readonly realPaths?: readonly string[];
  /** The command line of a script, interpreter first. Without it, one is derived from its name. */
  readonly commandLine?: readonly string[];
}

/** What policy has to know of a skill. */
export interface PolicySkill {
  readonly name: string;
  readonly trusted: boolean;
  /** Absent when the skill declares nothing; empty when it declares that it needs no tool. */
  readonly allowedTools?: readonly ToolRule[];
}

/** What one run adds. It can only narrow. */
export interface NarrowingRules {
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
  /** When given, everything that these rules do not cover is denied. */
  readonly only?: readonly string[];
}

/** Absolute folders without links in them, for rules about paths. */
export interface PolicyPlaces {
  readonly workingDirectory: string;
  /** What `/x` in a rule counts from; the working directory when absent. */
  readonly project?: string;
  /** What `~/x` counts from. */
  readonly home?: string;
}

export interface PolicyDecision {
  readonly decision: Decision;
  /** One sentence for a person or a model. */
  readonly reason: string;
  /** The rule that decided, as it was written. */
  readonly rule?: string;
  readonly risk: RiskClass;
  /** When it asks: the active skills, if none of them lists the tool. */
  readonly unlistedBy?: readonly string[];
}

/** One rule of a list. */
export interface PolicyRule extends Partial<ToolRule> {
  /** As it was written. Without `tool`, it cannot be read: it permits nothing, and asks where it should restrict. */
  readonly text: string;
}
