import type { Plan } from "./plan.ts";

export const MAX_GOAL = 2000;

/** What there is before anybody has planned: the request. */
export function firstPlan(request: string): Plan {
  return { goal: request.slice(0, MAX_GOAL), steps: [], assumptions: [], constraints: {} };
}
