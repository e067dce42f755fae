import type { PlanUpdate } from "../../actions/plan.ts";
import { shorten } from "./shorten.ts";
import type { Say } from "./answers.ts";

export type Phase = "find" | "work" | "answer";

export interface Stand {
  readonly isFirst: boolean;
  readonly phase: Phase;
  /** It is answered without a skill or a tool. */
  readonly isIdle: boolean;
}

const PHASES: readonly Phase[] = ["find", "work", "answer"];

/** The plan of the first decision, and later only where it stands. */
export function planUpdate(
  request: string,
  { isFirst, phase, isIdle }: Stand,
  say: Say,
): PlanUpdate {
  const at = PHASES.indexOf(phase);
  const all = PHASES.map((id, i) => ({
    id,
    status:
      i < at || phase === "answer"
        ? ("completed" as const)
        : i === at
          ? ("in_progress" as const)
          : ("pending" as const),
  }));
  // What nothing was found for was not followed either.
  const steps = isIdle ? all.filter(({ id }) => id !== "work") : all;
  if (!isFirst) {
    return { patch: { update: steps, ...(isIdle && { remove: ["work"] }) } };
  }
  const titles = {
    find: say("Find a skill or tool that fits the request", "寻找合适的技能或工具"),
    work: say("Follow its instructions", "按照说明执行"),
    answer: say("Answer from what came out", "根据结果回答"),
  };
  return {
    replace: {
      goal: shorten(request.trim(), 500),
      steps: steps.map((step) => ({ ...step, title: titles[step.id] })),
      assumptions: [],
      constraints: {},
    },
  };
}
