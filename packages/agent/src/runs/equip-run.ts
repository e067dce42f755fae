import type { Failure } from "@skillwright/core";
import type { Run } from "./run.ts";
import { ActivePolicySkills } from "./run-policy.ts";

/** Asks policy what the run may act with; fails when an approval does not count. */
export async function equipRun(
  run: Run,
  approve?: string,
): Promise<{ readonly ok: true } | Failure> {
  const { policy } = run.options;
  const { view } = run;
  const skills = new ActivePolicySkills(view);
  const opened = await policy?.open({
    runId: run.id,
    audit: run.audit,
    records: run.records,
    activeSkills: () => skills.of(run.state.active),
    // A child's approval is asked for in its own record.
    ...(approve !== undefined && run.state.child === undefined && { approve }),
  });
  if (opened !== undefined && "ok" in opened) return opened;
  run.equip(opened);
  return { ok: true };
}
