import { type Budget, DEFAULT_BUDGET } from "../budget/budget.ts";

/** What is not given is as usual. A record holds no infinity. */
export function fullBudget(budget: Partial<Budget> = {}): Budget {
  const given = Object.entries({ ...DEFAULT_BUDGET, ...budget }) as [keyof Budget, number][];
  return Object.fromEntries(
    given.map(([part, limit]) => [part, Math.min(limit, Number.MAX_SAFE_INTEGER)]),
  ) as unknown as Budget;
}
