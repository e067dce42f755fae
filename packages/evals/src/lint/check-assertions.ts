import { findAssertions, OUTPUT_METRICS, SEQUENCE_METRICS } from "../summary/summarize-checks.ts";
import type { AssertionFinding } from "../summary/eval-summary.ts";
import type { EvalRuleCode } from "./eval-rules.ts";
import { type Check, quoted } from "./lint-context.ts";

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
