import type { Failure, SkillsView } from "@skillwright/core";
import { AuditError } from "@skillwright/runtime";
import type { SkillReference } from "../actions/action.ts";
import type { ActionEnded } from "../events/run-event.ts";
import type { ModelImage } from "../models/model.ts";
import type { RunState } from "../loop/run-state.ts";

/** The result of a call, before it is cut to what a model should read. */
export type Observation = Pick<ActionEnded, "ok" | "code"> & {
  readonly text: string;
  readonly images?: readonly ModelImage[];
};

/** A file or script can only be reached once the instructions that speak of it are known. */
export function notActive(
  skill: SkillReference,
  { active }: RunState,
  view: SkillsView,
): Observation | undefined {
  const found = view.find(nameOf(skill));
  if (!found.ok) return failed(found);
  if (active.some(({ id }) => id === found.skill.id)) return undefined;
  return failed({
    ok: false,
    code: "skill-not-active",
    message: `select the skill ${skill.name} first`,
  });
}

export function failed(failure: Failure): Observation {
  return { ok: false, code: failure.code, text: failureText(failure) };
}

/**
 * What came of code that may not keep its contract: tools and approvers of a host. What was canceled
 * or could not be recorded is no result. After the signal it has so long to end; what comes later is
 * ignored.
 */
export async function observed(
  what: string,
  { signal, graceMs }: { readonly signal: AbortSignal; readonly graceMs: number },
  act: () => Promise<Observation>,
): Promise<Observation> {
  try {
    return await inTime(act(), signal, graceMs);
  } catch (error) {
    if (signal.aborted || AuditError.isInstance(error)) throw error;
    const message = `${what}: ${error instanceof Error ? error.message : "it failed"}`;
    return failed({ ok: false, code: "act-failed", message });
  }
}

/** Rejects some time after the signal, also when the promise never settles. */
async function inTime<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
  graceMs: number,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  let wait = () => {};
  const late = new Promise<never>((_resolve, reject) => {
    wait = () => (timer = setTimeout(() => reject(new Error("it did not stop")), graceMs));
  });
  if (signal.aborted) wait();
  else signal.addEventListener("abort", wait);
  try {
    return await Promise.race([promise, late]);
  } finally {
    signal.removeEventListener("abort", wait);
    clearTimeout(timer);
  }
}

export function failureText({ message, hint, candidates = [] }: Failure): string {
  const near =
    candidates.length === 0 ? "" : ` Did you mean ${candidates.slice(0, 5).join(" or ")}?`;
  return `Error: ${message}.${near}${hint === undefined ? "" : ` ${hint}`}`;
}

/** As the registry knows it. */
export function nameOf({ name, source }: SkillReference): string {
  return source === undefined || source === "" || name.includes("@") ? name : `${name}@${source}`;
}
