export const MAX_GOAL = 2000;

/** The plan before the model has made one: the request. */
export function firstPlan(request: string) {
  return { goal: request.slice(0, MAX_GOAL), steps: [], assumptions: [], constraints: {} };
}
