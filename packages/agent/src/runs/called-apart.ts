import { estimateTokens } from "@skillwright/core";
import type { RunState } from "../loop/run-state.ts";
import { describedAs } from "../models/decorators/is-priced.ts";
import type { Model, ModelRequest, ModelResponse } from "../models/model.ts";
import { NO_USAGE } from "../models/usage.ts";

/** The turn in which a skill that a person called by name is handed to a child run. */
export const CALL_TURN = 1;

/** A person called a skill that works apart, and that is the first thing to do. */
export function isCallDue({ start, usage }: RunState): boolean {
  return start?.invoked?.apart === true && usage.turns < CALL_TURN;
}

/**
 * The model for that turn: what is to be done was said by the person, so nobody is asked. It goes the
 * way of every decision, so that it is recorded, resumed and replayed like any other.
 */
export function callingModel(model: Model, { start }: RunState): Model {
  const name = start?.invoked?.skill ?? "";
  return {
    ...describedAs(model),
    decide: async (request, context) => {
      if (request.view.mustAnswer) return model.decide(request, context);
      return selection(name, model.protocol, request);
    },
  };
}

function selection(
  name: string,
  protocol: Model["protocol"],
  { messages }: ModelRequest,
): ModelResponse {
  const input = { skills: [{ name }], reason: "A person called it by its name." };
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
