import type { Redactor } from "@skillwright/runtime";
import type { Action } from "../actions/action.ts";
import {
  type ReadAction,
  readAction,
  type ReadOptions,
  type Said,
} from "../actions/read-action.ts";
import { canonicalJson } from "../canonical-json.ts";
import type { ModelResponded } from "../events/agent-event.ts";
import { actionKey } from "../loop/run-state.ts";
import { redactFields } from "../runs/redact-fields.ts";

export interface Heard {
  /** What of it is written down. */
  readonly recorded: Pick<ModelResponded, "text" | "calls" | "redacted">;
  /** What was decided, where the record leaves something of it out. Never to be written. */
  readonly original?: Action;
}

type Message = Pick<Said, "text" | "calls">;

const LEFT_OUT = "[redacted]";
const MAX_ROUNDS = 5;

/**
 * What a model said, as the record may have it. Whoever reads that reads the same decision, without
 * its secrets; what cannot be used stays what cannot be used.
 */
export function hearResponse(
  { text, calls, finish }: Said,
  options: ReadOptions,
  redactor: Redactor,
): Heard {
  const read = (message: Message) =>
    readAction({ ...message, ...(finish !== undefined && { finish }) }, options);
  const redacted = redactFully({ text, calls }, redactor);
  const isWhole = redacted.text === text && canonicalJson(redacted.calls) === canonicalJson(calls);
  // Nearly always. Only prose with JSON in it can be another text once it is an answer.
  if (isWhole && (calls.length > 0 || !text.includes("{") || text.startsWith("{"))) {
    return { recorded: { text, calls } };
  }
  const original = read({ text, calls });
  const recorded = agreeing(redacted, read(redacted), original, redactor);
  const decided = read(recorded);
  const isSame =
    !original.ok || !decided.ok || effectOf(original.action) === effectOf(decided.action);
  if (isSame) return { recorded };
  return { recorded: { ...recorded, redacted: true }, original: original.action };
}

/** Until nothing changes any more: what is left out can make the rest look like a secret. */
function redactFully(message: Message, redactor: Redactor): Message {
  let current = message;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = redactFields({ ...current }, redactor) as Message;
    if (canonicalJson(next) === canonicalJson(current)) break;
    current = next;
  }
  return current;
}

/** The redacted message, or one in its place that is read like the original. */
function agreeing(
  message: Message,
  decided: ReadAction,
  original: ReadAction,
  redactor: Redactor,
): Message {
  const [call, ...others] = message.calls;
  if (!original.ok) {
    if (!decided.ok) return message;
    if (call === undefined) return { text: `{ ${LEFT_OUT}`, calls: [] };
    return { ...message, calls: [{ ...call, input: LEFT_OUT }, ...others] };
  }
  if (call !== undefined) return message;
  const { action } = redactFields({ action: original.action }, redactor) as { action: Action };
  const text = canonicalJson(action);
  return decided.ok && canonicalJson(decided.action) === text ? message : { text, calls: [] };
}

/** What is done of an action outside of the record: plans, reasons and answers are only written. */
function effectOf(action: Action): string {
  if (action.action === "final_answer" || action.action === "update_plan") return "";
  if (action.action === "select_skills") return canonicalJson(action.skills);
  return actionKey(action);
}
