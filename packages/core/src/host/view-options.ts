import type { RequirementOptions } from "../activation/check-requirements.ts";
import type { SavedActivation } from "../activation/ledger.ts";
import type { RuleSettings } from "../format/rules/rule.ts";
import type { SkillRecord } from "../registry/skill-record.ts";

export interface ViewOptions {
  /** A person also sees what is kept from models or not trusted. Default: "model". */
  readonly audience?: "model" | "person";
  /** Only these skills. */
  readonly names?: readonly string[];
  /** Only skills for which this holds. */
  readonly include?: (record: SkillRecord) => boolean;
  /** What is in context already, from an earlier conversation. */
  readonly ledger?: readonly SavedActivation[];
  readonly limits?: ViewLimits;
  /** What requirements of skills are checked against. Default: the variables of the process. */
  readonly requirements?: Partial<RequirementOptions>;
  /** Where a skill is, as its instructions say; undefined says nothing. Default: its folder. */
  readonly locationOf?: (record: SkillRecord) => string | undefined;
  /** Which files of a skill its instructions list, by path. Default: all. */
  readonly listsFile?: (path: string) => boolean;
  /** The rules by which the registry reads skills, where they are not the usual ones. */
  readonly rules?: RuleSettings;
}

export interface ViewLimits {
  /** Bytes that one read gives at most. Default 51,200. */
  readonly maxOutputSizeBytes?: number;
  /** Tokens that one activation may take, for models with a small context. Default: no limit. */
  readonly roomTokens?: number;
  /** Lines that are shown of a body that does not fit. Default 500. */
  readonly maxBodyLines?: number;
  readonly longBody?: "outline" | "reject";
}
