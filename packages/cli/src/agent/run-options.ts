import type { Budget, RunOptions } from "@skillwright/agent";
import type { GlobalOptions } from "../console.ts";
import { CommandFailure, EXIT } from "../exit-code.ts";
import type { AgentOptions as AppAgentOptions } from "@skillwright/app/internal";

/** What `run` and `runs resume` have in common. */
export interface AgentOptions extends GlobalOptions, AppAgentOptions {}

export interface RunCommandOptions extends AgentOptions {
  readonly route?: string;
  /** Every record on stdout, as a line of JSON. */
  readonly events?: boolean;
  readonly budgetTurns?: string;
  readonly budgetToolCalls?: string;
  readonly budgetScripts?: string;
  readonly budgetTokens?: string;
  readonly budgetTime?: string;
  readonly budgetCost?: string;
}

export type BudgetOptions = Pick<
  RunCommandOptions,
  "budgetTurns" | "budgetToolCalls" | "budgetScripts" | "budgetTokens" | "budgetTime" | "budgetCost"
>;

/** What the person limits; the rest is as usual. */
export function budgetOf(options: BudgetOptions, prefix = "--budget"): Partial<Budget> {
  const { budgetTurns, budgetToolCalls, budgetScripts } = options;
  const { budgetTokens, budgetTime, budgetCost } = options;
  return {
    ...(budgetTurns !== undefined && { turns: count(budgetTurns, `${prefix}-turns`) }),
    ...(budgetToolCalls !== undefined && {
      toolCalls: count(budgetToolCalls, `${prefix}-tool-calls`, 0),
    }),
    ...(budgetScripts !== undefined && { scripts: count(budgetScripts, `${prefix}-scripts`, 0) }),
    ...(budgetTokens !== undefined && { tokens: count(budgetTokens, `${prefix}-tokens`) }),
    ...(budgetTime !== undefined && { timeMs: duration(budgetTime, `${prefix}-time`) }),
    ...(budgetCost !== undefined && { cost: amount(budgetCost, `${prefix}-cost`) }),
  };
}

/** How the request is matched with the skills before the first turn. */
export function routeOf({ route }: Pick<RunCommandOptions, "route">): Pick<RunOptions, "route"> {
  if (route === undefined) return {};
  if (route === "off" || route === "hint" || route === "auto") return { route };
  throw wrong("--route", route, "off, hint or auto");
}

const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of `90`, `90s`, `5m`, `2h` or `30d`. */
export function duration(text: string, option: string): number {
  const [, digits = "", unit = "s"] = /^(\d{1,9}(?:\.\d+)?)([smhd]?)$/.exec(text) ?? [];
  const milliseconds = Number(digits) * UNITS[(unit || "s") as keyof typeof UNITS];
  if (digits !== "" && milliseconds > 0) return milliseconds;
  throw wrong(option, text, "a time such as 90s, 5m or 30d");
}

function count(text: string, option: string, least = 1): number {
  if (/^(?:0|[1-9]\d{0,14})$/.test(text) && Number(text) >= least) return Number(text);
  throw wrong(option, text, `a number from ${least} on`);
}

function amount(text: string, option: string): number {
  const value = Number(text.replace(/^\$/, ""));
  if (text.trim() !== "" && Number.isFinite(value) && value >= 0) return value;
  throw wrong(option, text, "an amount in dollars such as 0.50");
}

function wrong(option: string, text: string, expected: string): CommandFailure {
  return new CommandFailure(EXIT.usage, `${option} ${JSON.stringify(text)} is not ${expected}`);
}
