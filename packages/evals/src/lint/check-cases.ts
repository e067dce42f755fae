import { createSkillIndex } from "@skillwright/core";
import { nearNames, plural, type SkillDocument, type SkillIndex } from "@skillwright/core/internal";
import type { EvalCase } from "../cases/eval-case.ts";
import type { AssertionFinding } from "../summary/eval-summary.ts";
import { findAssertions, OUTPUT_METRICS, SEQUENCE_METRICS } from "../summary/summarize-checks.ts";
import { includesSkill } from "../trigger/judge-selection.ts";
import type { EvalRuleCode } from "./eval-rules.ts";
import {
  type CatalogSkill,
  type Check,
  type Finding,
  type LintCasesOptions,
  quoted,
} from "./lint-context.ts";

/** What a case expects: that it can be read, can be met, and can be judged. */
export const checkExpectations: Check = (options) => [
  ...options.cases.flatMap((one) => [
    ...unknownSkills(one, options),
    ...contradictions(one),
    ...unjudged(one),
  ]),
  ...unsupported(options.cases),
];

function unknownSkills(
  { expected, origin, id }: EvalCase,
  { catalog }: LintCasesOptions,
): Finding[] {
  // Without a catalog nothing can be said about names.
  if (catalog.length === 0) return [];
  const known = new Set(catalog.map(({ name }) => name.toLowerCase()));
  const named = new Set([...(expected.skills?.used ?? []), ...(expected.skills?.unused ?? [])]);
  return [...named]
    .filter((name) => !known.has(name.toLowerCase()))
    .map((name) => {
      const [near] = nearNames(
        name,
        catalog.map((skill) => skill.name),
      );
      const message = `${id}: no skill of the catalog is called ${name}`;
      const hint =
        near === undefined ? "Name the root it is in with --root" : `Did you mean ${near}?`;
      return { code: "expected-skill-unknown" as const, message, origin, hint };
    });
}

function contradictions({ expected, origin, id }: EvalCase): Finding[] {
  const { used = [], unused = [] } = expected.skills ?? {};
  return used
    .filter((name) => includesSkill(unused, name))
    .map((name) => ({
      code: "case-contradicts-itself" as const,
      message: `${id}: ${name} is expected and ruled out`,
      origin,
    }));
}

const MOST_NAMED = 3;

/** Where the grader stands; one of a suite is that of many cases, and is said once. */
function unsupported(cases: readonly EvalCase[]): Finding[] {
  const graders = new Map<string, { readonly finding: Finding; readonly ids: Set<string> }>();
  for (const { id, origin, expected } of cases) {
    for (const { text, file, line } of expected.unsupported ?? []) {
      const key = JSON.stringify([file, line, text]);
      const finding = {
        code: "grader-unsupported" as const,
        message: text,
        origin: { ...origin, file, line },
      };
      const known = graders.get(key) ?? { finding, ids: new Set() };
      known.ids.add(id);
      graders.set(key, known);
    }
  }
  return [...graders.values()].map(({ finding, ids }) => {
    const named = [...ids].slice(0, MOST_NAMED).join(", ");
    const more = ids.size > MOST_NAMED ? ` and ${ids.size - MOST_NAMED} more` : "";
    return { ...finding, message: `${finding.message}: ${named}${more} cannot pass` };
  });
}

function unjudged(one: EvalCase): Finding[] {
  const { id, expected, origin } = one;
  const { length } = expected.statements;
  const words = `${plural(length, "statement")} in words`;
  const hasChecks = isCheckedOffline(one);
  if (length === 0) {
    const message = `${id}: nothing is expected, so that it neither passes nor fails`;
    const isEmpty = !hasChecks && (expected.unsupported ?? []).length === 0;
    return isEmpty ? [{ code: "case-checks-nothing", message, origin }] : [];
  }
  const hint = "Add a check of the answer, a file or the sequence, or run with a live judge";
  const message = `${id}: ${words}, which nobody can judge offline`;
  return [
    { code: hasChecks ? "statement-offline" : "case-only-statements", message, origin, hint },
  ];
}

function isCheckedOffline({ expected, constraints }: EvalCase): boolean {
  const { forbiddenTools, requiredTools, ...limits } = constraints;
  return (
    expected.skills !== undefined ||
    expected.sequence.length > 0 ||
    expected.output.length > 0 ||
    forbiddenTools.length > 0 ||
    requiredTools.length > 0 ||
    Object.values(limits).some((limit) => limit !== undefined)
  );
}

/** Requests that give the answer away, and negatives that nobody would get wrong. */
export const checkQueries: Check = ({ cases, catalog }) => {
  const sharesWords = wordSharing(catalog);
  const patterns = new Map<string, RegExp>();
  const isNamed = (name: string, input: string) => {
    const pattern = patterns.get(name) ?? namePattern(name);
    patterns.set(name, pattern);
    return pattern.test(input);
  };
  return cases.flatMap((one) => [...leaks(one, isNamed), ...trivial(one, sharesWords)]);
};

function leaks(
  { id, input, expected, origin, mock }: EvalCase,
  isNamed: (name: string, input: string) => boolean,
): Finding[] {
  if (mock !== undefined) return [];
  return (expected.skills?.used ?? [])
    .filter((name) => isNamed(name, input))
    .map((name) => ({
      code: "query-names-skill" as const,
      message: `${id}: the request ${quoted(input)} names the skill ${name}`,
      origin,
      hint: "Ask as somebody would who does not know that the skill exists",
    }));
}

/**
 * A name of several words, or one that is called a skill or invoked. A single word such as `pdf` is what
 * people say anyway.
 */
function namePattern(name: string): RegExp {
  const parts = name
    .toLowerCase()
    .split(/[-_\s]+/)
    .filter(Boolean)
    .map(escaped);
  if (parts.length === 0) return /(?!)/;
  const words = parts.join(String.raw`[-_\s]+`);
  const [before, after] = [String.raw`(?<![\p{L}\p{N}_-])`, String.raw`(?![\p{L}\p{N}_-])`];
  const whole = `${before}${words}${after}`;
  const exact = `${before}${escaped(name.toLowerCase())}${after}`;
  const pattern =
    parts.length > 1
      ? // Two plain words in a row may be everyday speech; three, or the name as it is written, are not.
        parts.length > 2
        ? whole
        : `${exact}|${whole}[-\\s]+skill`
      : `${whole}[-\\s]+skill|skill[-\\s]+["'\`]?${whole}|[/$@]${words}${after}`;
  return new RegExp(pattern, "iu");
}

function trivial(
  { id, input, expected, origin, mock }: EvalCase,
  sharesWords: (name: string | undefined, input: string) => boolean | undefined,
): Finding[] {
  if (expected.skills === undefined || mock !== undefined) return [];
  const { used, unused, only } = expected.skills;
  if (used.length > 0) return [];
  const names = unused.length > 0 ? unused : only ? [undefined] : [];
  return names
    .filter((name) => sharesWords(name, input) === false)
    .map((name) => ({
      code: "negative-trivial" as const,
      message: `${id}: the request ${quoted(input)} has no word in common with ${name ?? "any skill"}`,
      origin,
      hint: "Take one that belongs to a neighbour: skillwright eval suggest",
    }));
}

/** By the words of the search, so that other forms and other spellings are the same word. */
function wordSharing(catalog: readonly CatalogSkill[]) {
  const documents = new Map(
    catalog.map(({ name, description }) => [name.toLowerCase(), { id: name, name, description }]),
  );
  const indexes = new Map<string | undefined, SkillIndex>();
  const indexOf = (key: string | undefined, of: Iterable<SkillDocument>) => {
    const index = indexes.get(key) ?? createSkillIndex(of);
    indexes.set(key, index);
    return index;
  };
  return (name: string | undefined, input: string): boolean | undefined => {
    if (documents.size === 0) return undefined;
    if (name === undefined) {
      return indexOf(undefined, documents.values()).search(input, { limit: 1 }).length > 0;
    }
    const document = documents.get(name.toLowerCase());
    if (document === undefined) return undefined;
    return indexOf(document.id, [document]).search(input, { limit: 1 }).length > 0;
  };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}

const CODES: Readonly<Partial<Record<AssertionFinding["kind"], EvalRuleCode>>> = {
  "never-discriminates": "assertion-never-discriminates",
  "always-fails": "assertion-always-fails",
  harmful: "assertion-harmful",
};

/** What only an eval can tell about checks: needs its results, best with and without the skill. */
export const checkAssertions: Check = ({ cases, results }) => {
  if (results === undefined) return [];
  const origins = new Map(cases.map(({ id, origin }) => [id, origin]));
  const arms = results.setup.arms.map(({ name }) => name);
  const metrics = [...SEQUENCE_METRICS, ...OUTPUT_METRICS];
  return findAssertions(results.trials, arms, metrics).flatMap(({ caseId, kind, text, arms }) => {
    const [code, origin] = [CODES[kind], origins.get(caseId)];
    if (code === undefined || origin === undefined) return [];
    const seen = arms.map(({ arm, passed, judged }) => `${arm} ${passed} of ${judged}`);
    return [{ code, message: `${caseId}: ${quoted(text)} passed ${seen.join(", ")}`, origin }];
  });
};
