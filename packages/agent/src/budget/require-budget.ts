import type { Budget } from "./budget.ts";

/** Throws for limits that nothing could ever reach or keep, such as `NaN`. */
export function requireBudget(budget: Partial<Budget> = {}): void {
  for (const [part, limit] of Object.entries(budget) as [string, unknown][]) {
    if (limit === undefined || (typeof limit === "number" && limit >= 0)) continue;
    throw new TypeError(
      `budget.${part} has to be a number from 0 on, not ${JSON.stringify(limit)}`,
    );
  }
}
