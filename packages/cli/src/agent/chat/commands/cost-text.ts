import type { RunUsage } from "@skillwright/agent/internal";
import { plural } from "@skillwright/core/internal";
import { type ChatState, exchangeCount } from "../chat-state.ts";
import { NO_USAGE } from "@skillwright/app/internal";

const COLUMN = 13;

/** `/cost`: what the last turn and the whole conversation have used up. */
export function costText(state: ChatState, dim: (text: string) => string): string {
  const { last, usage, uncounted } = state;
  const count = exchangeCount(state);
  const turn = rowsOf(last?.usage ?? NO_USAGE);
  const all = rowsOf(usage);
  const lines = turn.map(([name, amount], i) => line(name, amount, all[i]?.[1] ?? ""));
  const notes = [
    ...(usage.cost === 0 ? ["No price is known for this model, or it costs nothing."] : []),
    ...(uncounted > 0
      ? [`${plural(uncounted, "older run is", "older runs are")} gone and not counted.`]
      : []),
  ];
  const header = line("", "LAST TURN", plural(count, "TURN", "TURNS"));
  return [dim(header), ...lines, ...notes.map(dim)].join("\n");
}

function rowsOf(usage: RunUsage): [string, string][] {
  const { inputTokens, outputTokens, modelCalls, toolCalls, scripts, timeMs, cost } = usage;
  return [
    ["tokens in", String(inputTokens)],
    ["tokens out", String(outputTokens)],
    ["model calls", String(modelCalls)],
    ["tool calls", String(toolCalls)],
    ["scripts", String(scripts)],
    ["time", `${(timeMs / 1000).toFixed(1)} s`],
    ["money", cost > 0 ? `$${cost.toFixed(4)}` : "–"],
  ];
}

function line(...cells: readonly [string, string, string]): string {
  const [name, ...amounts] = cells;
  return name.padEnd(COLUMN) + amounts.map((amount) => amount.padStart(COLUMN)).join("");
}
