import { type Failure, nearNames } from "@skillwright/core";
import type { Action } from "../actions/action.ts";
import type { RunState } from "../loop/run-state.ts";
import { failed, nameOf, notActive, type Observation, observed } from "./observation.ts";
import type { World } from "./world.ts";

/** The runtime needs some seconds to end a script that does not want to, and to record it. */
const GRACE_MS = 10_000;

/** Runs a script of an active skill: past the gate, in the sandbox, from a snapshot. */
export async function runScript(
  action: Extract<Action, { action: "run_script" }>,
  state: RunState,
  { view, tools }: World,
  signal: AbortSignal,
): Promise<Observation> {
  const { skill: reference, relative_path: path, args } = action;
  if (state.usage.scripts >= state.budget.scripts) {
    return {
      ok: false,
      code: "budget",
      text: `All ${state.budget.scripts} script runs are used up. Go on without.`,
    };
  }
  const inactive = notActive(reference, state, view);
  if (inactive !== undefined) return inactive;
  const found = view.find(nameOf(reference));
  if (!found.ok || tools.executor === undefined) return failed(found.ok ? NO_SCRIPTS : found);
  const script = path.startsWith("scripts/") ? path : `scripts/${path}`;
  const files = state.active.find(({ id }) => id === found.skill.id)?.files ?? [];
  if (!files.includes(script)) {
    const scripts = files.filter((file) => tools.isScript(file));
    const message = `${reference.name} has no script ${path}`;
    const candidates = nearNames(script, scripts, 3);
    return failed({ ok: false, code: "script-not-found", message, candidates });
  }
  const { executor } = tools;
  const request = { skill: found.skill, script, args };
  return observed(script, { signal, graceMs: GRACE_MS }, async () => {
    const { ok, text } = await executor.run(request, { signal });
    return ok
      ? { ok, text: text === "" ? "(no output)" : text }
      : { ok, code: "script-failed", text };
  });
}

const NO_SCRIPTS: Failure = {
  ok: false,
  code: "scripts-unavailable",
  message: "scripts cannot be run here",
};
