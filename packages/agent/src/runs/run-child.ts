import type { SkillRecord } from "@skillwright/core";
import { slice } from "../budget/budget.ts";
import type { ChildEnd } from "../events/agent-event.ts";
import { driveRun } from "../loop/drive-run.ts";
import { openRun, reopenRun } from "./open-run.ts";
import type { Run } from "./run.ts";

/** Works a skill through in a run of its own: own context, a part of the budget, a summary back. */
export async function runChild(run: Run, skill: SkillRecord, turn: number): Promise<ChildEnd> {
  const { options, state } = run;
  const runId = state.child ?? `${run.id}.${turn}`;
  const { onText: _, child: __, ...shared } = options;
  const request = state.start?.normalizedRequest ?? "";
  const budget = slice(state.budget, state.usage);
  const given = { ...shared, request, budget, ids: () => runId };
  const child =
    state.child === undefined
      ? await startChild()
      : ((await reopenRun(runId, given, { reason: "crash" })) ?? (await startChild()));
  const { status, answer, usage, approval } = await driveRun(child);
  if (approval !== undefined) run.record({ event: "child-wait", data: { runId, approval } });
  const ended = { turn, runId, skill: skill.name, status, answer, usage };
  if (approval === undefined) run.record({ event: "child-end", data: ended });
  return ended;

  async function startChild(): Promise<Run> {
    run.record({ event: "child-start", data: { turn, runId, skill: skill.name } });
    return openRun({ ...given, child: { parent: run.id, skill: `${skill.name}@${skill.source}` } });
  }
}
