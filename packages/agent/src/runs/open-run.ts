import type { Failure } from "@skillwright/core";
import { randomUUID } from "node:crypto";
import type { RunResume, SkillActivated } from "../events/run-event.ts";
import { createMemoryStore } from "./memory-store.ts";
import type { OpenRunOptions } from "./open-run-options.ts";
import { createRunChild, type ReopenResult, type ReopenRunOptions } from "./run-child.ts";
import type { RunLog } from "./run-log.ts";
import { ActivePolicySkills } from "./run-policy.ts";
import { Run } from "./run.ts";
import { startRun, startSkills } from "./start-run.ts";

/** The skills that a resumed run has in context are looked at anew: they may have changed or gone. */
async function checkSkills(run: Run): Promise<void> {
  for (const skill of run.state.active) await checkSkill(skill, run);
}

async function checkSkill(skill: SkillActivated, run: Run): Promise<void> {
  const { id, name, source, by } = skill;
  const place = `${name}@${source}`;
  const found = run.view.find(place);
  const reason = found.ok ? undefined : "it is not there any more, or not trusted";
  const activation =
    reason === undefined
      ? await run.view.activate(place, { by, roomTokens: run.roomTokens() })
      : { ok: false, message: reason };
  if (!activation.ok) {
    run.record({ event: "skill-drop", data: { id, name, reason: activation.message } });
    run.view.ledger.remove(id);
  } else if ("digest" in activation && !activation.alreadyActive) {
    const { digest, tokens, text, files } = activation;
    const turn = run.state.usage.turns;
    const paths = files.map(({ path }) => path);
    const changed = { text: run.hide(text), files: paths, changed: true as const };
    const data = { ...skill, turn, digest, tokens, ...changed };
    run.record({ event: "skill-activate", data });
  }
}

/** Asks policy what the run may act with; fails when an approval does not count. */
async function equipRun(run: Run, approve?: string): Promise<{ readonly ok: true } | Failure> {
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

/** A clock that goes back further than this was set, and is believed. */
const MAX_AHEAD_MS = 10_000;

/** Names of runs, `<timestamp>-<id>`: who sorts them has them in the order in which they began. */
export function createRunIds(clock: () => number = Date.now): () => string {
  let last = 0;
  return () => {
    const now = clock();
    last = last >= now && last - now < MAX_AHEAD_MS ? last + 1 : now;
    const time = new Date(last).toISOString().replaceAll(/[-:.]/g, "");
    return `${time}-${randomUUID().slice(0, 8)}`;
  };
}

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
