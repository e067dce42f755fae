import { estimateTokens } from "@skillwright/core";
import type { RunState } from "../loop/run-state.ts";
import { describedAs } from "../models/decorators/prices.ts";
import type { Model, ModelRequest, ModelResponse } from "../models/model.ts";
import { NO_USAGE } from "../models/usage.ts";

/** The turn in which skills that a person named are handed to child runs. */
export const CALL_TURN = 1;

/** A person named skills that work apart, and that is the first thing to do. */
export function isCallDue(state: RunState): boolean {
  return state.usage.turns < CALL_TURN && namedSkills(state).length > 0;
}

function namedSkills({ start }: RunState): string[] {
  const { invoked, apart = [] } = start ?? {};
  const called = invoked?.apart === true ? [invoked.skill] : [];
  return [...new Set([...called, ...apart])];
}

/**
 * The model for that turn: what is to be done was said by the person, so nobody is asked. It goes the
 * way of every decision, so that it is recorded, resumed and replayed like any other.
 */
export function callingModel(model: Model, state: RunState): Model {
  const names = namedSkills(state);
  return {
    ...describedAs(model),
    decide: async (request, context) => {
      if (request.view.mustAnswer) return model.decide(request, context);
      return selection(names, model.protocol, request);
    },
  };
}

function selection(
  names: readonly string[],
  protocol: Model["protocol"],
  { messages }: ModelRequest,
): ModelResponse {
  const reason = `A person called ${names.length === 1 ? "it" : "them"} by name.`;
  const input = { skills: names.map((name) => ({ name })), reason };
  const text = JSON.stringify({ action: "select_skills", ...input });
  const call = { id: `call_${messages.length}_0`, name: "select_skills", input };
  const isNative = protocol === "tools";
  return {
    ok: true,
    message: isNative ? { text: "", calls: [call] } : { text, calls: [] },
    finish: isNative ? "calls" : "stop",
    usage: { ...NO_USAGE, outputTokens: estimateTokens(text), cost: 0 },
    latencyMs: 0,
  };
}
