import type { Grade } from "../../grade/grade.ts";
import { outcomeOf } from "../../grade/outcome-of.ts";
import type { TrialResult } from "../../results/eval-results.ts";
import { OUTPUT_METRICS } from "../../summary/outcome-of-metrics.ts";

const ACTING: ReadonlySet<string> = new Set(["run_script", "use_tool", "load_resource"]);

/** `grading.json` and `timing.json` of one trial, as the viewer of skill-creator reads them. */
export function gradingOf(result: TrialResult) {
  const { usage, steps, answer, arm, grades } = result;
  // Without the skill it can neither be selected nor followed: that it was not is no failure.
  const isBare = arm === "without_skill";
  const own = isBare ? grades.filter(({ metric }) => OUTPUT_METRICS.includes(metric)) : grades;
  const expectations = expectationsOf(own);
  const { calls, total } = callsOf(result);
  const seconds = usage.timeMs / 1000;
  return {
    expectations,
    summary: summaryOf(expectations),
    execution_metrics: {
      tool_calls: calls,
      total_tool_calls: total,
      total_steps: steps.length,
      errors_encountered: steps.filter(({ ok }) => !ok).length,
      output_chars: answer.length,
      transcript_chars: transcriptLength(result),
    },
    timing: { executor_duration_seconds: seconds, total_duration_seconds: seconds },
    outcome: isBare && result.outcome !== "error" ? outcomeOf(own) : result.outcome,
    ...(result.error && { error: result.error }),
  };
}

export function timingOf({ usage }: TrialResult) {
  return {
    total_tokens: usage.inputTokens + usage.outputTokens,
    duration_ms: usage.timeMs,
    total_duration_seconds: usage.timeMs / 1000,
    executor_duration_seconds: usage.timeMs / 1000,
  };
}

/** What nobody judged is no expectation that was met or missed. */
export function expectationsOf(grades: readonly Grade[]) {
  return grades.flatMap(({ text, outcome, evidence }) =>
    outcome === "pass" || outcome === "fail"
      ? [{ text, passed: outcome === "pass", evidence }]
      : [],
  );
}

export function summaryOf(expectations: readonly { readonly passed: boolean }[]) {
  const passed = expectations.filter((one) => one.passed).length;
  const total = expectations.length;
  return { passed, failed: total - passed, total, pass_rate: total === 0 ? 0 : passed / total };
}

/** What was done beyond the conversation, as it is counted everywhere: to select skills and to answer are none of it. */
export function callsOf({ steps, usage }: TrialResult) {
  const calls = new Map<string, number>();
  const add = (name: string, count: number) => calls.set(name, (calls.get(name) ?? 0) + count);
  const acting = steps.filter(({ action }) => ACTING.has(action));
  for (const { action, subject } of acting) add(action === "use_tool" ? subject : action, 1);
  // Of a very long trial not all steps are kept.
  const left = usage.toolCalls - acting.length;
  if (left > 0) add("other", left);
  return { calls: Object.fromEntries(calls), total: acting.length + Math.max(0, left) };
}

/** The request, what was called and what it brought, and the answer. */
function transcriptLength({ input, steps, answer }: TrialResult): number {
  const lengths = steps.map(({ action, arguments: given, observation }) =>
    // The answer is counted once, and whole.
    action === "final_answer" ? 0 : JSON.stringify(given).length + observation.length,
  );
  return lengths.reduce((sum, length) => sum + length, input.length + answer.length);
}
