import type { Effect, Severity } from "../diagnostic.ts";
import type { Draft, ParsedSkill, SkillHead, Span } from "../parsed-skill.ts";
import type { Finding } from "../reporter.ts";

/** One kind of finding; `docs/lint-rules.md` is generated from these. */
export interface Rule<Code extends string = string> {
  readonly code: Code;
  /** Severity while loading (lenient), and while validating (`strict`) when that differs. */
  readonly severity: Severity;
  readonly strict?: Severity;
  /** What a finding does to the skill, as long as its severity is error. */
  readonly effect?: Effect;
  /** One line. */
  readonly summary: string;
  /** Why it matters and what to do. */
  readonly explanation: string;
  readonly example: { readonly bad: string; readonly good: string };
}

/** A severity per rule code, or "off". Rules whose effect is "skipped" cannot be turned off. */
export type RuleSettings = Readonly<Record<string, Severity | "off">>;

/** The severity a rule has here: settings first, then strictness. */
export function effectiveSeverity(
  rule: Rule,
  strict: boolean,
  settings: RuleSettings | undefined,
): Severity | "off" {
  const usual = strict ? (rule.strict ?? rule.severity) : rule.severity;
  if (settings === undefined || rule.effect === "skipped") return usual;
  return Object.hasOwn(settings, rule.code) ? (settings[rule.code] ?? usual) : usual;
}

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

/** The span of a field's value in the frontmatter; its start when the field is missing. */
export function valueSpan(draft: Draft, key: string): Span {
  return draft.fields.get(key)?.value ?? { start: 0, end: 0 };
}
