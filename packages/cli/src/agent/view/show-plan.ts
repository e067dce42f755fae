import type { Plan } from "@skillwright/agent";
import { truncateWidth, visibleLine } from "@skillwright/core/internal";
import type { ShowOptions } from "./show-line.ts";

type PlanStep = Plan["steps"][number];

const MARKS = { pending: "○", in_progress: "▸", completed: "✓" } as const;

/** The steps with their ticks, one to a line; of many, those around the one that is at work. */
export function showPlan(
  { steps }: Pick<Plan, "steps">,
  height: number,
  { width, colors }: Omit<ShowOptions, "isApart">,
): string[] {
  const { dim, green, cyan, bold } = colors;
  const show = ({ title, status }: PlanStep): string => {
    const text = truncateWidth(visibleLine(title), width - 2);
    if (status === "completed") return `${green(MARKS.completed)} ${dim(text)}`;
    if (status === "in_progress") return `${cyan(MARKS.in_progress)} ${bold(text)}`;
    return `${dim(MARKS.pending)} ${text}`;
  };
  if (height <= 0 || steps.length === 0) return [];
  if (steps.length <= height) return steps.map(show);
  const done = steps.filter(({ status }) => status === "completed").length;
  const summary = dim(truncateWidth(`${done} of ${steps.length} steps done`, width));
  const room = height - 1;
  const current = steps.findIndex(({ status }) => status !== "completed");
  const from = Math.min(
    Math.max(0, (current === -1 ? steps.length : current) - 1),
    steps.length - room,
  );
  return [summary, ...steps.slice(from, from + room).map(show)];
}
