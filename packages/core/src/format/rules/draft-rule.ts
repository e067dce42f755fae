import type { Draft, ParsedSkill, SkillHead, Span } from "../parsed-skill.ts";
import type { Finding } from "../reporter.ts";
import type { Rule } from "./rule.ts";

/** Reports a finding of the rule that is running. */
export type Report = (span: Span, finding: Omit<Finding, "start" | "end">) => void;

/** A rule that looks at a parsed skill. */
export interface DraftRule<Code extends string = string> extends Rule<Code> {
  /** Runs at every parse: only what is cheap and decides how the skill is loaded. Reports nodes. */
  check?(skill: SkillHead, draft: Draft, report: Report): void;
  /** Runs when a person lints: may read the whole body. Reports offsets of the whole file. */
  lint?(skill: ParsedSkill, draft: Draft, report: Report): void;
}

export function defineRule<const Code extends string>(rule: DraftRule<Code>): DraftRule<Code> {
  return rule;
}

/** Where a field's value stands in the frontmatter; its start when the field is not there. */
export function valueSpan(draft: Draft, key: string): Span {
  return draft.fields.get(key)?.value ?? { start: 0, end: 0 };
}
