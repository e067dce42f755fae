import type { Skill } from "@modelcontextprotocol/server/ext/skills";
import type { SkillRecord } from "@skillwright/core";

/** A skill as it stands under its URI. */
export interface PublishedSkill {
  readonly record: SkillRecord;
  /** Its folder, as segments of a URI; the last one is its name. */
  readonly segments: readonly string[];
  /** False for one that another of the same name comes before: served, and in no list. */
  readonly isListed: boolean;
  readonly uri: string;
  /** What `skills/list` says of it; absent when only tools offer it. */
  readonly entry?: Skill;
  /** Why there is no entry, or one without digests. */
  readonly problem?: string;
  /** By path; empty for one with too many files to be listed. */
  readonly files: ReadonlyMap<string, PublishedFile>;
  /** The files are found when they are asked for, and have no digest to be compared with. */
  readonly isDynamic: boolean;
  /** Its SKILL.md is served with the frontmatter written anew, since clients cannot read it as it is. */
  readonly isRewritten: boolean;
  /** What was true when it was built. */
  readonly stamp: string;
}

export interface PublishedFile {
  readonly path: string;
  readonly uri: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  readonly size: number;
  readonly mimeType: string;
  readonly isText: boolean;
}

export const SKILL_FILE = "SKILL.md";
/** What every host has to accept. */
export const MAX_FILES = 512;
export const MAX_BYTES = 16 * 1024 * 1024;
