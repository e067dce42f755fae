import { type Budget, DEFAULT_BUDGET } from "../budget/budget.ts";

/** What is not given is as usual. A record holds no infinity. */
export function fullBudget(budget: Partial<Budget> = {}): Budget {
  const usual = Object.entries(DEFAULT_BUDGET) as [keyof Budget, number][];
  return Object.fromEntries(
    usual.map(([part, limit]) => [part, Math.min(budget[part] ?? limit, Number.MAX_SAFE_INTEGER)]),
  ) as unknown as Budget;
}
