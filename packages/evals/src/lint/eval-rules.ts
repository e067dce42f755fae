import type { Rule } from "@skillwright/core/internal";

export type EvalRuleCode =
  | "assertion-always-fails"
  | "assertion-harmful"
  | "assertion-never-discriminates"
  | "case-checks-nothing"
  | "case-contradicts-itself"
  | "case-duplicate"
  | "case-only-statements"
  | "cases-contradict"
  | "cases-too-few"
  | "expected-skill-unknown"
  | "grader-unsupported"
  | "negative-trivial"
  | "negatives-missing"
  | "positives-missing"
  | "query-names-skill"
  | "statement-offline";

/** Why each finding matters. */
export const evalRules: readonly Rule<EvalRuleCode>[] = [
  {
    code: "expected-skill-unknown",
    severity: "error",
    summary: "A case names a skill that is not in the catalog.",
    explanation:
      "A skill that does not exist is never selected: a positive case fails and a negative one passes, whatever the model does. Often the name is misspelled or the root is missing.",
    example: { bad: "skills: [pdf-procesing]", good: "skills: [pdf-processing]" },
  },
  {
    code: "case-contradicts-itself",
    severity: "error",
    summary: "A case expects a skill and rules it out.",
    explanation: "No answer of any model can pass such a case.",
    example: { bad: "used: [pdf], unused: [pdf]", good: "used: [pdf], unused: [docx]" },
  },
  {
    code: "cases-contradict",
    severity: "error",
    summary: "Two cases with the same request expect opposite things.",
    explanation:
      "One of the two fails in every run, so the pass rate says nothing about the skill. Decide which skill the request belongs to.",
    example: {
      bad: '"Read this PDF" expects pdf; "Read this PDF" rules pdf out',
      good: "one of the two",
    },
  },
  {
    code: "case-duplicate",
    severity: "warning",
    summary: "A request appears twice.",
    explanation:
      "Both count as a case of their own, though they can only go the same way: every interval is narrower than it should be.",
    example: { bad: "the same request in two files", good: "once, or in other words" },
  },
  {
    code: "query-names-skill",
    severity: "warning",
    summary: "The request names the skill that it should trigger.",
    explanation:
      "A model that reads the name needs no description: the case passes with any description, so it does not test it. People rarely know the names of skills.",
    example: { bad: "Use pdf-processing to fill the form", good: "Fill in this form for me" },
  },
  {
    code: "negative-trivial",
    severity: "info",
    summary: "A negative case has no word in common with the skill.",
    explanation:
      "No model confuses such a request with the skill, so it makes precision look better than it is. Requests that belong to a neighbour and share its words tell more; `skillwright eval suggest` proposes some.",
    example: {
      bad: "What is the weather? (for a PDF skill)",
      good: "Turn this PDF into a slide deck (for a skill that fills forms)",
    },
  },
  {
    code: "negatives-missing",
    severity: "warning",
    summary: "No case says when the skill must not be selected.",
    explanation:
      "A skill that is always selected passes all of its cases. Only requests that belong elsewhere show that it knows its limits.",
    example: {
      bad: "ten requests that should trigger",
      good: "ten that should, ten near misses that should not",
    },
  },
  {
    code: "positives-missing",
    severity: "warning",
    summary: "No case says when the skill must be selected.",
    explanation: "A skill that is never selected passes all of its cases.",
    example: { bad: "should_trigger: false everywhere", good: "some of each" },
  },
  {
    code: "cases-too-few",
    severity: "info",
    summary: "The cases are too few for what they are to show.",
    explanation:
      "Of 10 cases that all pass, the true rate may still be 72 %. To show 80 % takes 16 cases without a failure, to show 90 % takes 35; a difference of 20 points between two versions takes about 77 pairs.",
    example: { bad: "3 of 3 passed: it works", good: "35 of 35 passed: more than 90 % do" },
  },
  {
    code: "case-checks-nothing",
    severity: "warning",
    summary: "A case expects nothing.",
    explanation:
      "It costs time and money, and never counts in a rate: whatever happens is neither a pass nor a fail.",
    example: {
      bad: "input: Fill the form",
      good: "input: Fill the form, expected: { skills: [pdf] }",
    },
  },
  {
    code: "case-only-statements",
    severity: "warning",
    summary: "A case has only statements in words.",
    explanation:
      "Without a live judge it is unjudged, and counts in no rate. A check of a file, a number or a word of the answer runs everywhere.",
    example: { bad: "The summary is good", good: 'contains: "Total: 42"' },
  },
  {
    code: "statement-offline",
    severity: "info",
    summary: "A statement in words is judged only by a live judge.",
    explanation:
      "Offline the other checks of the case decide; the statement is shown as not judged.",
    example: { bad: "The tone is friendly", good: "the same, with a live judge" },
  },
  {
    code: "grader-unsupported",
    severity: "warning",
    summary: "A case expects something that cannot be checked here.",
    explanation:
      "A case with such an expectation never passes: it fails when something else fails, and is unjudged otherwise. `eval import` leaves them under `expected.unjudged`; in `evals.json` they are assertions of an unknown type and unknown fields. Write the check in our format, or as a script beside the cases.",
    example: {
      bad: 'unjudged: ["the grader diff cannot be converted"]',
      good: "output: [{ type: script, file: check.py }]",
    },
  },
  {
    code: "assertion-never-discriminates",
    severity: "warning",
    summary: "A check passes with the skill and without it.",
    explanation:
      "It says nothing about the skill: the model can do it anyway, or the check is too weak. It makes both rates higher and their difference harder to see.",
    example: { bad: 'contains: "the" ', good: "what only a reader of the skill would do" },
  },
  {
    code: "assertion-always-fails",
    severity: "warning",
    summary: "A check fails in every trial of every arm.",
    explanation:
      "It may be impossible, wrong, or ask for something the skill does not do. It tells the arms apart no better than one that always passes.",
    example: { bad: "file-exists: otput.pdf", good: "file-exists: output.pdf" },
  },
  {
    code: "assertion-harmful",
    severity: "warning",
    summary: "A check passes without the skill and fails with it.",
    explanation:
      "Either the skill makes the answer worse, or the check wants what the skill rightly changes.",
    example: {
      bad: "the skill forbids tables, the check wants one",
      good: "one of the two changed",
    },
  },
];
