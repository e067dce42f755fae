import { plural } from "@skillwright/core/internal";
import { listed } from "./case-words.ts";
import type { EvalComparison } from "./eval-comparison.ts";

type NoteFacts = Pick<EvalComparison, "cases" | "isDeterministic" | "errors">;

/** What was left out, and what is not sure. */
export function comparisonNotes(
  { cases, isDeterministic, errors: { before: earlier } }: NoteFacts,
  isPart: boolean,
): string[] {
  const { quarantined, changed, added, missing, errors, suspects } = cases;
  const before = errors.filter(({ side }) => side === "before");
  const say = (some: readonly { readonly caseId: string }[], what: string) =>
    some.length > 0 ? [`${what}: ${listed(some.map(({ caseId }) => caseId))}.`] : [];
  const named = (ids: readonly string[]) => ids.map((caseId) => ({ caseId }));
  return [
    ...say(
      quarantined,
      `Passed only sometimes in the baseline${isDeterministic ? ", and is left out" : ""}`,
    ),
    ...say(changed, "Changed since the baseline, and is left out"),
    ...say(before, "Had no result in the baseline"),
    ...(earlier.errors > 0
      ? [`${earlier.errors} of ${earlier.trials} trials of the baseline ended in an error.`]
      : []),
    ...say(suspects, "Worse, but chance could have done it"),
    ...say(named(added), "New"),
    ...(isPart && missing.length > 0
      ? [
          `Only a part was run: ${plural(missing.length, "case")} of the baseline ${missing.length === 1 ? "is" : "are"} not in it.`,
        ]
      : say(named(missing), "Missing")),
  ];
}
