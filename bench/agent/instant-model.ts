import { setImmediate } from "node:timers/promises";
import type { Model } from "../../packages/agent/src/models/model.ts";

interface InstantOptions {
  /** Turns before it answers. */
  readonly steps: number;
  /** Told when it is asked, and when it has answered. */
  readonly onAsked?: (turn: number) => void;
  readonly onAnswered?: (turn: number) => void;
}

const USAGE = {
  inputTokens: 1,
  outputTokens: 1,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  calls: 1,
};

/** Uses a tool in every turn and then answers, without a thought. Lets other runs have their turn. */
export function instantModel({ steps, onAsked, onAnswered }: InstantOptions): Model {
  let turn = 0;
  return {
    id: "bench:instant",
    protocol: "tools",
    contextTokens: 1_000_000,
    async decide() {
      turn++;
      onAsked?.(turn);
      await setImmediate();
      const call = turn > steps ? ANSWER : { name: "look", input: { number: turn } };
      onAnswered?.(turn);
      return {
        ok: true,
        message: { text: "", calls: [{ id: `call-${turn}`, ...call }] },
        finish: "calls",
        usage: USAGE,
        latencyMs: 0,
      };
    },
  };
}

const ANSWER = { name: "final_answer", input: { answer: "done" } };
