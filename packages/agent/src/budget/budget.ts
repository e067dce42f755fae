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

/** What is no amount adds nothing: a model that reports less than none must not get more. */
export function sumUsage(one: RunUsage, other: Partial<RunUsage>): RunUsage {
  const sum = (key: keyof RunUsage) => {
    const added = other[key];
    return typeof added === "number" && added > 0 && added < Infinity ? one[key] + added : one[key];
  };
  return {
    turns: sum("turns"),
    toolCalls: sum("toolCalls"),
    scripts: sum("scripts"),
    inputTokens: sum("inputTokens"),
    outputTokens: sum("outputTokens"),
    modelCalls: sum("modelCalls"),
    cost: sum("cost"),
    timeMs: sum("timeMs"),
  };
}

/** What a run may use up. Whatever ends first ends the run. */
export interface Budget {
  readonly turns: number;
  /** Scripts, tools and resources together. */
  readonly toolCalls: number;
  readonly scripts: number;
  /** Input and output together, over all turns. */
  readonly tokens: number;
  /** In US dollars; only what models with known prices cost. */
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

export const NO_BUDGET: Budget = {
  turns: 0,
  toolCalls: 0,
  scripts: 0,
  tokens: 0,
  cost: 0,
  timeMs: 0,
};

/** So near the end of these, there is one turn left, and that is for the answer. */
const NEAR = 0.9;

/** Which part of the budget is so near its end; undefined while there is enough. */
export function nearEnd(budget: Budget, usage: RunUsage): keyof Budget | undefined {
  if (usage.turns + 1 >= budget.turns) return "turns";
  if (usage.toolCalls >= budget.toolCalls) return "toolCalls";
  if (usage.inputTokens + usage.outputTokens >= budget.tokens * NEAR) return "tokens";
  if (isSpent(usage.cost, budget.cost * NEAR)) return "cost";
  return usage.timeMs >= budget.timeMs * NEAR ? "timeMs" : undefined;
}

/** Which part of the budget is used up, if any. */
export function usedUp(budget: Budget, usage: RunUsage): keyof Budget | undefined {
  if (usage.turns >= budget.turns) return "turns";
  if (usage.inputTokens + usage.outputTokens >= budget.tokens) return "tokens";
  if (isSpent(usage.cost, budget.cost)) return "cost";
  return usage.timeMs >= budget.timeMs ? "timeMs" : undefined;
}

const LOW = 0.75;

/** Whether a quarter or less of turns, calls, tokens or time is left. */
export function isLow(budget: Budget, usage: RunUsage): boolean {
  const tokens = usage.inputTokens + usage.outputTokens;
  return (
    usage.turns >= budget.turns * LOW ||
    usage.toolCalls >= budget.toolCalls * LOW ||
    tokens >= budget.tokens * LOW ||
    usage.timeMs >= budget.timeMs * LOW
  );
}

/** What is left, for the model. */
export function describeLeft(budget: Budget, usage: RunUsage): string {
  const left = (limit: number, used: number) => Math.max(0, limit - used);
  const tokens = left(budget.tokens, usage.inputTokens + usage.outputTokens);
  return [
    plural(left(budget.turns, usage.turns), "turn"),
    plural(left(budget.toolCalls, usage.toolCalls), "tool call"),
    plural(tokens, "token"),
    plural(Math.round(left(budget.timeMs, usage.timeMs) / 1000), "second"),
  ].join(", ");
}

/** A part of the budget as a person would say it, such as `12 turns`. */
export function describePart(budget: Budget, part: keyof Budget): string {
  if (part === "cost") return `$${budget.cost}`;
  if (part === "timeMs") return plural(Math.round(budget.timeMs / 1000), "second");
  if (part === "toolCalls") return plural(budget.toolCalls, "tool call");
  return plural(budget[part], part.slice(0, -1));
}

/** Models that cost nothing can be used without money. */
function isSpent(cost: number, limit: number): boolean {
  return cost > 0 && cost >= limit;
}

/** A plan may bind itself to less, never to more, and not to so little that it cannot answer. */
export function tightened(budget: Budget, { constraints }: Plan, { turns }: RunUsage): Budget {
  const { max_turns = budget.turns, max_tool_calls, max_scripts } = constraints;
  return {
    ...budget,
    turns: Math.min(budget.turns, Math.max(max_turns, turns + 1)),
    toolCalls: Math.min(budget.toolCalls, max_tool_calls ?? budget.toolCalls),
    scripts: Math.min(budget.scripts, max_scripts ?? budget.scripts),
  };
}

/** What a child run may use of what is left: half, and one turn in any case. */
export function slice(budget: Budget, usage: RunUsage): Budget {
  const half = (limit: number, used: number) => Math.max(0, Math.floor((limit - used) / 2));
  return {
    turns: Math.max(1, half(budget.turns, usage.turns)),
    toolCalls: half(budget.toolCalls, usage.toolCalls),
    scripts: half(budget.scripts, usage.scripts),
    tokens: half(budget.tokens, usage.inputTokens + usage.outputTokens),
    cost: Math.max(0, (budget.cost - usage.cost) / 2),
    timeMs: half(budget.timeMs, usage.timeMs),
  };
}

/** Throws for limits that nothing could ever reach or keep, such as `NaN`. */
export function requireBudget(budget: Partial<Budget> = {}): void {
  for (const [part, limit] of Object.entries(budget) as [string, unknown][]) {
    if (limit === undefined || (typeof limit === "number" && limit >= 0)) continue;
    throw new TypeError(
      `budget.${part} has to be a number from 0 on, not ${JSON.stringify(limit)}`,
    );
  }
}

/** What is not given is as usual. A record holds no infinity. */
export function fullBudget(budget: Partial<Budget> = {}): Budget {
  const usual = Object.entries(DEFAULT_BUDGET) as [keyof Budget, number][];
  return Object.fromEntries(
    usual.map(([part, limit]) => [part, Math.min(budget[part] ?? limit, Number.MAX_SAFE_INTEGER)]),
  ) as unknown as Budget;
}
