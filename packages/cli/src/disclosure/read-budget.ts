import { CommandFailure, EXIT } from "../exit-code.ts";

/** `--budget 4000`, or nothing for no limit. */
export function readBudget(text: string | undefined): { budgetTokens?: number } {
  if (text === undefined) return {};
  const budgetTokens = Number(text.replaceAll(/[_,]/g, ""));
  if (Number.isInteger(budgetTokens) && budgetTokens > 0) return { budgetTokens };
  throw new CommandFailure(EXIT.usage, `"${text}" is not a number of tokens`);
}
