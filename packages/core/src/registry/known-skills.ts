import type { ContentResult } from "../activation/skill-content.ts";
import type { InlineSkill } from "../sources/skill-source.ts";
import type { NamedSkills } from "./name-index.ts";
import type { SkillChange } from "./skill-change.ts";
import type { SkillRecord } from "./skill-record.ts";

export type FindResult =
  | { readonly ok: true; readonly skill: SkillRecord }
  | {
      readonly ok: false;
      readonly code: "skill-not-found" | "skill-unusable";
      readonly message: string;
      readonly hint?: string;
      readonly candidates: readonly string[];
    };

/** What conversations and the search need of a registry. */
export interface KnownSkills {
  readonly all: readonly SkillRecord[];
  readonly everything: readonly SkillRecord[];
  readonly roots: readonly string[];
  get(name: string): SkillRecord | undefined;
  find(name: string): FindResult;
  narrow(includes: (record: SkillRecord) => boolean): NamedSkills;
  inlineSkill(skill: SkillRecord): InlineSkill | undefined;
  stampOf(skill: SkillRecord): string;
  content(skill: SkillRecord): Promise<ContentResult>;
  isStillTrusted(skill: SkillRecord, digest?: string): Promise<boolean>;
  refreshIfStale(): Promise<void>;
  onChange(listener: (change: SkillChange) => void): () => void;
}
