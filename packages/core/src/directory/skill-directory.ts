import type { ParsedSkill, Rule } from "../format/draft.ts";
import type { DirectoryEntry } from "../internal/confined.ts";

/** A skill's folder as directory rules see it. */
interface SkillDirectory {
  readonly name: string;
  readonly entries: readonly DirectoryEntry[];
  /** True when there are more entries than were listed. */
  readonly truncated: boolean;
  /** Folders that could not be read. */
  readonly unreadable: readonly string[];
  /** The parsed skill, when SKILL.md could be used. */
  readonly skill: ParsedSkill | undefined;
  /** Offset of the body in SKILL.md. */
  readonly bodyStart: number;
}

export interface DirectoryFinding {
  /** The file it is about; SKILL.md when absent. */
  readonly path?: string;
  /** Offsets into SKILL.md. */
  readonly start?: number;
  readonly end?: number;
  readonly message: string;
  readonly hint?: string;
}

/** A rule about the files of a skill. */
export interface DirectoryRule<Code extends string = string> extends Rule<Code> {
  inspect?(directory: SkillDirectory, report: (finding: DirectoryFinding) => void): void;
}

export function defineDirectoryRule<const Code extends string>(
  rule: DirectoryRule<Code>,
): DirectoryRule<Code> {
  return rule;
}

/** A path and its parent folders. */
export function withFolders(path: string): string[] {
  const segments = path.split("/");
  return segments.map((_, i) => segments.slice(0, i + 1).join("/"));
}

/** Folders that hold many files and never skills. */
export const SKIPPED_FOLDERS: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".skillwright",
  ".svn",
  ".venv",
  "__pycache__",
  "node_modules",
  "venv",
]);
