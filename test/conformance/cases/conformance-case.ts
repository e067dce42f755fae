import type { ParsedSkill } from "@skillwright/core/internal";

/** One SKILL.md, and everything the parser must say about it. */
export interface ConformanceCase {
  readonly id: string;
  readonly requirement: string;
  readonly text: string;
  readonly directoryName?: string;
  readonly strict?: boolean;
  /** Read with `lintSkillText`, which adds the rules for authors; otherwise with `parseSkill`. */
  readonly lint?: boolean;
  /** Every finding as `severity:code`, sorted, none left out. */
  readonly codes: readonly string[];
  readonly loaded: boolean;
  /** Fields of the skill that matter here. */
  readonly skill?: Partial<ParsedSkill>;
  /** Line and column of the first finding, in the order of the file. */
  readonly at?: readonly [line: number, column: number];
  /** Part of the first finding's hint. */
  readonly hint?: string;
}

export const DESCRIPTION = "Formats dates. Use when a date must be written out.";

/** A body that has every recommended section, for rows that are about something else. */
export const FULL_BODY =
  "# Dates\n\n## Goal\n\n## Inputs\n\n## Steps\n\n## Failure\n\n## Checklist\n\n## Resources\n\n";

/** A file whose frontmatter is exactly these lines. */
export function fileOf(frontmatter: string, body = "Body.\n"): string {
  return `---\n${frontmatter}\n---\n${body}`;
}

/** A valid file with these lines after `name` and `description`; they start at line 4. */
export function fileWith(lines: string, body = "Body.\n"): string {
  return fileOf(`name: dates\ndescription: ${DESCRIPTION}\n${lines}`, body);
}

/**
 * A row that loads, and the same row in strict mode, where the findings with these codes are errors
 * and nothing loads.
 */
export function inBothModes(row: ConformanceCase, ...raised: string[]): ConformanceCase[] {
  const codes = row.codes.map((finding) => {
    const [, code = ""] = finding.split(":");
    return raised.includes(code) ? `error:${code}` : finding;
  });
  const { skill: _, ...rest } = row;
  const strict = { ...rest, codes: codes.toSorted(), strict: true, loaded: raised.length === 0 };
  return [row, strict];
}
