import type { RunSummary } from "@skillwright/agent";
import { visibleLine } from "@skillwright/core/internal";
import type { Colors } from "../../../terminal/colors.ts";

const MARKS = { pending: "☐", in_progress: "◐", completed: "☑" } as const;

/** `/plan`: the last plan, with what is done. */
export function planText(last: RunSummary | undefined, { bold, dim, green }: Colors): string {
  const plan = last?.plan;
  if (plan === undefined) return "No plan yet. The first message makes one.";
  const steps = plan.steps.map(({ title, status }) => {
    const mark = status === "completed" ? green(MARKS[status]) : MARKS[status];
    return `  ${mark} ${visibleLine(title)}`;
  });
  const assumed = plan.assumptions.map((text) => dim(`  assumes: ${visibleLine(text)}`));
  const nothing = steps.length === 0 ? [dim("  no steps")] : [];
  return [bold(visibleLine(plan.goal)), ...steps, ...nothing, ...assumed].join("\n");
}
