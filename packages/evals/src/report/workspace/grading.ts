import type { Grade } from "../../grade/grade.ts";
import type { TrialResult } from "../../results/eval-results.ts";

/** `grading.json` and `timing.json` of one trial, as the viewer of skill-creator reads them. */
export function gradingOf(result: TrialResult) {
  const expectations = expectationsOf(result.grades);
  const { usage, steps, answer } = result;
  const seconds = usage.timeMs / 1000;
  return {
    expectations,
    summary: summaryOf(expectations),
    execution_metrics: {
      tool_calls: toolCalls(result),
      total_tool_calls: usage.toolCalls,
      total_steps: steps.length,
      errors_encountered: steps.filter(({ ok }) => !ok).length,
      output_chars: answer.length,
      transcript_chars: steps.reduce((sum, { observation }) => sum + observation.length, 0),
    },
    timing: { executor_duration_seconds: seconds, total_duration_seconds: seconds },
    outcome: result.outcome,
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

function toolCalls({ steps }: TrialResult): Record<string, number> {
  const calls = new Map<string, number>();
  for (const { action, subject } of steps) {
    const name = action === "use_tool" ? subject : action;
    calls.set(name, (calls.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(calls);
}
