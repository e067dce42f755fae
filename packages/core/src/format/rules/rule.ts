import type { Effect, Severity } from "../diagnostic.ts";

/** Everything there is to say about one kind of finding; `docs/lint-rules.md` is generated from it. */
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
