import type { Budget, RunResult } from "@skillwright/agent";
import type { Console } from "../console.ts";

interface LargerBudget {
  readonly budget: Partial<Budget>;
  /** The new limit in words, such as `80 turns`. */
  readonly shown: string;
  /** The option that sets it. */
  readonly option: string;
}

/** Twice what the run has used of the part that it ran out of. */
export function largerBudget({
  exhausted,
  usage,
}: Pick<RunResult, "exhausted" | "usage">): LargerBudget {
  const { turns, toolCalls, inputTokens, outputTokens, cost, timeMs } = usage;
  const larger = (part: keyof Budget, limit: number, shown: string, option: string) => ({
    budget: { [part]: limit },
    shown,
    option: `--budget-${option}`,
  });
  switch (exhausted) {
    case "toolCalls": {
      const limit = Math.max(60, 2 * toolCalls);
      return larger("toolCalls", limit, `${limit} tool calls`, `tool-calls ${limit}`);
    }
    case "tokens": {
      const limit = Math.max(400_000, 2 * (inputTokens + outputTokens));
      return larger("tokens", limit, `${limit.toLocaleString("en")} tokens`, `tokens ${limit}`);
    }
    case "cost": {
      const limit = Math.max(1, Math.ceil(2 * cost));
      return larger("cost", limit, `$${limit}`, `cost ${limit}`);
    }
    case "timeMs": {
      const limit = Math.max(20, Math.ceil((2 * timeMs) / 60_000));
      return larger("timeMs", limit * 60_000, `${limit} minutes`, `time ${limit}m`);
    }
    default: {
      const limit = Math.max(30, 2 * turns);
      return larger("turns", limit, `${limit} turns`, `turns ${limit}`);
    }
  }
}

/** Asks a person at a terminal whether a run goes on that used up its budget, each time it does. */
export async function offerMoreBudget(
  ended: RunResult,
  console: Pick<Console, "canAsk" | "choose">,
  goOn: (result: RunResult, budget: Partial<Budget>) => Promise<RunResult>,
): Promise<RunResult> {
  let result = ended;
  while (result.status === "budget_exhausted" && console.canAsk) {
    const { budget, shown } = largerBudget(result);
    const answer = await console.choose({
      message: "The run used up its budget.",
      choices: [
        { value: "go-on", label: `Go on, up to ${shown} in all` },
        {
          value: "stop",
          label: "Stop here",
          ...(result.isAnswer === true && { hint: "shows the answer so far" }),
        },
      ],
      initial: "go-on",
    });
    if (answer !== "go-on") break;
    result = await goOn(result, budget);
  }
  return result;
}
