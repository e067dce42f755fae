/**
 * The constraint language: what must, may and must not be done, one line each.
 *
 * A **step** is an action and what it is about, with `*` for anything:
 *
 *     select pdf                       a skill was selected
 *     load pdf/references/*            a file of a skill was read
 *     run pdf/scripts/fill.py          a script was run
 *     use write_file                   a tool was used
 *     answer                           the answer was given
 *     reject                           what the model said could not be used
 *     step                             any of these
 *
 * `or` gives a choice, `where` looks at what it was called with and what came of it:
 *
 *     run pdf/scripts/fill.py where args contains "--dry-run" and ok
 *     use write_file where input.path matches /\.md$/i or use delete_file
 *     load * where not subject contains "secret"
 *
 * A **constraint** says how often, or in which order:
 *
 *     select pdf                                     at least once
 *     never use delete_file                          also: at most 2 …, at least 1 …, exactly 3 …,
 *     never use write_file after answer                    between 1 and 3 …; within `before` or `after`
 *     select pdf before run pdf/*                    both are done, and this one first
 *     run pdf/* after load pdf/*
 *     select pdf then run pdf/* then answer          in this order, with anything between
 *     select pdf then immediately load pdf/*         the very next step
 *     select pdf then within 3 steps run pdf/*
 *     every run * where failed then within 2 steps run *
 *     use write_file only after use read_file        if at all; also: only immediately after
 *     run * only if loaded                           its own skill was selected before
 *     in any order: load pdf/a.md, load pdf/b.md     each by another step
 *     exactly: select pdf, run pdf/*, answer         these steps and no other
 *     exactly in any order: …   starts with: …   ends with: …   only: …
 *
 * `not` turns a constraint round; `or else` gives a choice between constraints. Attempts count: a
 * step that was refused or failed is a step, unless `where ok` says otherwise.
 */
export interface SequenceRule {
  /** One of these holds. */
  readonly alternatives: readonly RuleAlternative[];
}

export interface RuleAlternative {
  readonly not: boolean;
  readonly constraint: Constraint;
}

export type Constraint =
  | CountConstraint
  | OrderConstraint
  | ChainConstraint
  | ResponseConstraint
  | PrecedenceConstraint
  | LoadedConstraint
  | ListConstraint;

export interface CountConstraint {
  readonly kind: "count";
  readonly least: number;
  /** Infinity: any number. */
  readonly most: number;
  readonly pattern: StepPattern;
  /**
   * Only steps before or after the first that matches. Without such a step, all are before it and none
   * is after it.
   */
  readonly scope?: { readonly side: "before" | "after"; readonly pattern: StepPattern };
}

/** Both are done, and the first of these before the first of those. */
export interface OrderConstraint {
  readonly kind: "order";
  readonly first: StepPattern;
  readonly second: StepPattern;
}

/** Somewhere, each is done after the one before it and no further from it than the gap. */
export interface ChainConstraint {
  readonly kind: "chain";
  readonly start: StepPattern;
  readonly links: readonly { readonly gap: number; readonly pattern: StepPattern }[];
}

/** Each of these is followed by one of those. */
export interface ResponseConstraint {
  readonly kind: "response";
  readonly cause: StepPattern;
  readonly gap: number;
  readonly effect: StepPattern;
}

/** Each of these comes after one of those. */
export interface PrecedenceConstraint {
  readonly kind: "precedence";
  readonly pattern: StepPattern;
  readonly gap: number;
  readonly condition: StepPattern;
}

/** The skill in the subject of each of these was selected before. */
export interface LoadedConstraint {
  readonly kind: "loaded";
  readonly pattern: StepPattern;
}

export interface ListConstraint {
  readonly kind: "list";
  readonly mode: ListMode;
  readonly patterns: readonly StepPattern[];
}

/** `only`: every step is one of these. */
export type ListMode =
  | "in any order"
  | "exactly"
  | "exactly in any order"
  | "starts with"
  | "ends with"
  | "only";

/** One of these. */
export interface StepPattern {
  readonly choices: readonly StepChoice[];
}

export interface StepChoice {
  readonly word: StepWord;
  /** With `*` for any characters. Undefined: any subject. */
  readonly subject?: string;
  /** All of them hold. */
  readonly conditions: readonly Condition[];
}

export const STEP_ACTIONS = {
  select: "select_skills",
  load: "load_resource",
  run: "run_script",
  use: "use_tool",
  answer: "final_answer",
  reject: "rejected",
  step: undefined,
} as const;

export type StepWord = keyof typeof STEP_ACTIONS;

export type Condition = OutcomeCondition | FieldCondition;

interface OutcomeCondition {
  readonly kind: "outcome";
  readonly ok: boolean;
}

export interface FieldCondition {
  readonly kind: "field";
  readonly not: boolean;
  /** `subject`, `observation`, or a path in the arguments: `args`, `input.path`, `skills.0.name`. */
  readonly field: string;
  readonly test: FieldTest;
}

export type FieldTest =
  | { readonly operator: "="; readonly value: FieldValue }
  | { readonly operator: "contains"; readonly value: string }
  | { readonly operator: "matches"; readonly pattern: string; readonly flags: string };

type FieldValue = string | number | boolean | null;

/** Words that end a subject; one that is meant as a subject stands in quotes. */
export const RESERVED: ReadonlySet<string> = new Set([
  "after",
  "and",
  "before",
  "else",
  "immediately",
  "only",
  "or",
  "then",
  "where",
  "within",
]);
