import { nearNames, plural } from "@skillwright/core/internal";
import type { EvalCase } from "../cases/eval-case.ts";
import { includesSkill } from "../trigger/judge-selection.ts";
import { type Check, type Finding, type LintCasesOptions, quoted } from "./lint-context.ts";

/** What a case expects: that it can be read, can be met, and can be judged. */
export const checkExpectations: Check = (options) => [
  ...options.cases.flatMap((one) => [
    ...unreadable(one, options),
    ...unknownSkills(one, options),
    ...contradictions(one),
    ...unjudged(one),
  ]),
  ...unsupported(options.cases),
];

function unreadable(
  { expected, origin, id }: EvalCase,
  { parseSequence }: LintCasesOptions,
): Finding[] {
  return expected.sequence.flatMap((line) => {
    const reading = parseSequence?.(line) ?? { ok: true };
    if (reading.ok) return [];
    const message = `${id}: the sequence ${quoted(line)} cannot be read: ${reading.message}`;
    const hint = reading.hint === undefined ? {} : { hint: reading.hint };
    return [{ code: "sequence-unreadable" as const, message, origin, ...hint }];
  });
}

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
    return { ...finding, message: `${finding.message}, so that it cannot pass: ${named}${more}` };
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
