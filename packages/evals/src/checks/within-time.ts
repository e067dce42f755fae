import { createContext, Script } from "node:vm";
import type { Failure } from "@skillwright/core";

export type Timed<Value> = { readonly ok: true; readonly value: Value } | Failure<"timed-out">;

/** What one check may take. */
const CHECK_MILLISECONDS = 2000;

const CALL = new Script("task()");
const place: { task?: () => unknown } = {};
const context = createContext(place);

/**
 * Does something that could run away – a regular expression, a schema – and ends it when it does.
 * Nothing foreign is evaluated here: `vm` is only what Node has to end JavaScript that is under way.
 */
export function withinTime<Value>(
  task: () => Value,
  milliseconds = CHECK_MILLISECONDS,
): Timed<Value> {
  place.task = task;
  try {
    return { ok: true, value: CALL.runInContext(context, { timeout: milliseconds }) as Value };
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return { ok: false, code: "timed-out", message: `it took longer than ${milliseconds} ms` };
  } finally {
    delete place.task;
  }
}

function isTimeout(error: unknown): boolean {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  return code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}
