import { frame } from "@skillwright/core/internal";
import type { Turn } from "./pair-calls.ts";

interface PlainTurn {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/**
 * The conversation in text alone, for models without tools: a call is written as the decision it is,
 * its result is a framed message of the user, so that no result reads as an instruction. The roles
 * alternate.
 */
export function plainTurns(turns: readonly Turn[]): PlainTurn[] {
  const plain: PlainTurn[] = [];
  for (const turn of turns.flatMap(asText)) {
    const last = plain.at(-1);
    if (last?.role !== turn.role) plain.push(turn);
    else plain[plain.length - 1] = { ...turn, content: `${last.content}\n\n${turn.content}` };
  }
  return plain;
}

function asText(turn: Turn): PlainTurn[] {
  if (turn.role === "user") return [turn];
  const decisions = turn.calls.map(({ name, input }) => {
    const { action: _, ...rest } = input;
    return JSON.stringify({ action: name, ...rest });
  });
  const content = [turn.content, ...decisions].filter((text) => text.trim() !== "").join("\n");
  const results = turn.calls.map(({ name, result }) => ({
    role: "user" as const,
    content: frame("tool_result", { tool: name }, result),
  }));
  return [{ role: "assistant", content }, ...results];
}
