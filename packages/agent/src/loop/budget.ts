import { plural } from "@skillwright/core/internal";
import type { Plan } from "../actions/plan.ts";

/** What a run has used up. */
export interface RunUsage {
  readonly turns: number;
  readonly toolCalls: number;
  readonly scripts: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly modelCalls: number;
  readonly cost: number;
  readonly timeMs: number;
}

export const NO_USAGE: RunUsage = {
  turns: 0,
  toolCalls: 0,
  scripts: 0,
  inputTokens: 0,
  outputTokens: 0,
  modelCalls: 0,
  cost: 0,
  timeMs: 0,
};

/** Ignores amounts that are not positive and finite, so that a model cannot report itself more budget. */
export function sumUsage(one: RunUsage, other: Partial<RunUsage>): RunUsage {
  const sum = ([key, used]: [string, number]) => {
    const added = other[key as keyof RunUsage];
    return [key, Number.isFinite(added) && Number(added) > 0 ? used + Number(added) : used];
  };
  return Object.fromEntries(Object.entries(one).map(sum)) as RunUsage;
}

/** What a run may use. The part that is used up first ends it. */
export interface Budget {
  readonly turns: number;
  /** Scripts, tools and resources together. */
  readonly toolCalls: number;
  readonly scripts: number;
  /** Input and output together, over all turns. */
  readonly tokens: number;
  /** In US dollars; counts only models with known prices. */
  readonly cost: number;
  readonly timeMs: number;
}

export const DEFAULT_BUDGET: Budget = {
  turns: 40,
  toolCalls: 100,
  scripts: 30,
  tokens: 500_000,
  cost: Number.MAX_SAFE_INTEGER,
  timeMs: 1_800_000,
};

/** From this share on, one turn is left for the answer. */
const NEAR = 0.9;
/** From this share on, the model is told what is left. */
const LOW = 0.75;

/** The part of the budget that allows only one more turn, if any. */
export function nearEnd(budget: Budget, usage: RunUsage): keyof Budget | undefined {
  if (usage.turns + 1 >= budget.turns) return "turns";
  if (usage.toolCalls >= budget.toolCalls) return "toolCalls";
  return firstReached(budget, usage, NEAR);
}

/** The part of the budget that is used up, if any. */
export function usedUp(budget: Budget, usage: RunUsage): keyof Budget | undefined {
  return usage.turns >= budget.turns ? "turns" : firstReached(budget, usage, 1);
}

function firstReached(budget: Budget, usage: RunUsage, share: number): keyof Budget | undefined {
  if (tokensOf(usage) >= budget.tokens * share) return "tokens";
  // A budget of no money allows models that cost nothing.
  if (usage.cost > 0 && usage.cost >= budget.cost * share) return "cost";
  return usage.timeMs >= budget.timeMs * share ? "timeMs" : undefined;
}

function tokensOf({ inputTokens, outputTokens }: RunUsage): number {
  return inputTokens + outputTokens;
}

/** The parts that the model is told about. */
const SHOWN = ["turns", "toolCalls", "tokens", "timeMs"] as const;

/** Whether a quarter or less of one of them is left. */
export function isLow(budget: Budget, usage: RunUsage): boolean {
  const used = { ...usage, tokens: tokensOf(usage) };
  return SHOWN.some((part) => used[part] >= budget[part] * LOW);
}

/** What is left, for the model. */
export function describeLeft(budget: Budget, usage: RunUsage): string {
  const used = { ...usage, tokens: tokensOf(usage) };
  return SHOWN.map((part) => {
    const left = Math.max(0, budget[part] - used[part]);
    return describePart({ ...budget, [part]: left }, part);
  }).join(", ");
}

/** A part of the budget for people, such as `12 turns`. */
export function describePart(budget: Budget, part: keyof Budget): string {
  if (part === "cost") return `$${budget.cost}`;
  if (part === "timeMs") return plural(Math.round(budget.timeMs / 1000), "second");
  return plural(budget[part], part === "toolCalls" ? "tool call" : part.slice(0, -1));
}

/** A plan can only lower the budget, and always leaves a turn to answer in. */
export function tightened(budget: Budget, { constraints }: Plan, { turns }: RunUsage): Budget {
  const { max_turns = Infinity, max_tool_calls = Infinity, max_scripts = Infinity } = constraints;
  return {
    ...budget,
    turns: Math.min(budget.turns, Math.max(max_turns, turns + 1)),
    toolCalls: Math.min(budget.toolCalls, max_tool_calls),
    scripts: Math.min(budget.scripts, max_scripts),
  };
}

/** The budget of a child run: half of what is left, and at least one turn. */
export function slice(budget: Budget, usage: RunUsage): Budget {
  const half = (limit: number, used: number) => Math.max(0, Math.floor((limit - used) / 2));
  return {
    turns: Math.max(1, half(budget.turns, usage.turns)),
    toolCalls: half(budget.toolCalls, usage.toolCalls),
    scripts: half(budget.scripts, usage.scripts),
    tokens: half(budget.tokens, tokensOf(usage)),
    cost: Math.max(0, (budget.cost - usage.cost) / 2),
    timeMs: half(budget.timeMs, usage.timeMs),
  };
}

/** Throws a `TypeError` for a limit that is not a number from 0 on, such as `NaN`. */
export function requireBudget(budget: Partial<Budget> = {}): void {
  for (const [part, limit] of Object.entries(budget) as [string, unknown][]) {
    if (limit === undefined || (typeof limit === "number" && limit >= 0)) continue;
    const given = JSON.stringify(limit);
    throw new TypeError(`budget.${part} has to be a number from 0 on, not ${given}`);
  }
}

/** Fills in the defaults. A record cannot hold infinity, so that becomes the largest safe integer. */
export function fullBudget(budget: Partial<Budget> = {}): Budget {
  const parts = (Object.keys(DEFAULT_BUDGET) as (keyof Budget)[]).map((part) => {
    const limit = budget[part] ?? DEFAULT_BUDGET[part];
    return [part, Math.min(limit, Number.MAX_SAFE_INTEGER)];
  });
  return Object.fromEntries(parts) as Budget;
}
