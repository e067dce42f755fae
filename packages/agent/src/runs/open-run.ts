import type { RunResume } from "../events/run-event.ts";
import { checkSkills } from "./check-skills.ts";
import { createMemoryStore } from "./memory-store.ts";
import { equipRun } from "./equip-run.ts";
import type { OpenRunOptions } from "./open-run-options.ts";
import { Run } from "./run.ts";
import { createRunChild } from "./run-child.ts";
import { createRunIds } from "./run-ids.ts";
import type { RunLog } from "./run-log.ts";
import type { ReopenResult, ReopenRunOptions } from "./run-openers.ts";
import { startRun } from "./start-run.ts";
import { startSkills } from "./start-skills.ts";

/** A new run: its record is there, the skills are indexed, and nothing was decided yet. */
export async function openRun(options: OpenRunOptions, empty?: RunLog): Promise<Run> {
  const { store = createMemoryStore(), ids = newRunId } = options;
  const log = empty ?? (await store.create(ids()));
  return closingOnError(log, async () => {
    const run = new Run(log, { ...options, store, ids }, runChild);
    await equipRun(run);
    await startRun(run);
    await run.flush();
    return run;
  });
}

/** A run that was stopped or cut off goes on, with the policy, the trust and the skills of now. */
export async function reopenRun(
  log: RunLog,
  options: ReopenRunOptions,
  resume: Omit<RunResume, "means">,
): Promise<ReopenResult> {
  return closingOnError(log, async () => {
    const texts = await options.store.exactTexts?.get(log.runId);
    const run = new Run(log, { ids: newRunId, ...options, request: "" }, runChild, texts);
    const equipped = await equipRun(run, resume.approval);
    if (!equipped.ok) {
      log.close();
      return equipped;
    }
    run.record({ event: "run-resume", data: { ...resume, means: run.means } });
    await checkSkills(run);
    await startSkills(run);
    await run.flush();
    return { ok: true, run };
  });
}

const newRunId = createRunIds();
const runChild = createRunChild({ openRun, reopenRun });

async function closingOnError<Result>(log: RunLog, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    log.close();
    throw error;
  }
}
