import {
  type Failure,
  parseSkill,
  type SkillRecord,
  type Conversation as SkillConversation,
} from "@skillwright/core";
import { defined } from "@skillwright/core/internal";
import type { PolicySkill } from "@skillwright/runtime/internal";
import { randomUUID } from "node:crypto";
import { activationEvent } from "../acts/observation.ts";
import type { ChildEnd, RunEnd, RunResume, SkillActivated } from "../events/run-event.ts";
import { slice } from "../loop/budget.ts";
import { driveRun, StepStopped } from "../loop/drive-run.ts";
import { conversationOf, foldRecords } from "./conversation.ts";
import { createMemoryStore, type RunLog } from "./run-store.ts";
import { CALL_TURN, Run } from "./run.ts";
import type { RunOptions, FullRunOptions, ParentRun } from "./run-options.ts";
import { firstSkills, startSkills } from "./first-skills.ts";
import { routeRequest } from "./route-request.ts";
import { restoreHistory, startRun } from "./start-run.ts";

type ReopenRunOptions = Omit<RunOptions, "request"> & Pick<FullRunOptions, "store" | "approve">;
type ReopenResult = { readonly ok: true; readonly run: Run } | Failure;

/** A new run: recorded and with its skills indexed, before anything is decided. */
export async function openRun(options: RunOptions, empty?: RunLog): Promise<Run> {
  const { store = createMemoryStore(), ids = newRunId } = options;
  const log = empty ?? (await store.create(ids()));
  return closingOnError(log, async () => {
    const run = new Run(log, { ...options, store, ids, runChild });
    await equipRun(run);
    await startRun(run);
    await run.flush();
    return run;
  });
}

/** Continues a run that was stopped or cut off, with today's policy, trust and skills. */
export async function reopenRun(
  log: RunLog,
  options: ReopenRunOptions,
  resume: Omit<RunResume, "means">,
): Promise<ReopenResult> {
  return closingOnError(log, async () => {
    const texts = await options.store.exactTexts?.get(log.runId);
    const run = new Run(log, { ids: newRunId, ...options, request: "", runChild }, texts);
    const refused = await equipRun(run, resume.approval);
    if (refused !== undefined) {
      log.close();
      return refused;
    }
    const heldChanges = run.runtime?.heldChanges?.() ?? 0;
    const held = heldChanges > 0 ? { heldChanges } : {};
    run.record({ event: "run-resume", data: { ...resume, ...held, means: run.means } });
    for (const skill of run.state.active) await checkSkill(skill, run);
    await restoreHistory(run);
    await routeRequest(run);
    await startSkills(run);
    await run.flush();
    return { ok: true, run };
  });
}

async function closingOnError<Result>(log: RunLog, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    log.close();
    throw error;
  }
}

/** Asks policy what the run may act with. Gives a failure when an approval does not count. */
async function equipRun(run: Run, approve?: string): Promise<Failure | undefined> {
  const known = new Map<string, PolicySkill>();
  const { child, conversation } = run.options;
  const earlier = child?.secretNames ?? conversation?.secretNames ?? [];
  const opened = await run.options.policy?.open({
    runId: run.id,
    audit: run.audit,
    records: run.records,
    activeSkills: () =>
      Promise.all(run.state.active.map((skill) => policySkill(skill, run.view, known))),
    secretNames: () => (run.state.start === undefined ? earlier : run.state.secretNames),
    // The approval of a child is asked for in the child's record.
    ...(approve !== undefined && run.state.child === undefined && { approve }),
  });
  if (opened?.ok === false) return opened;
  run.equip(opened);
  return undefined;
}

/** What policy has to know of an active skill; read again when its content changes. */
async function policySkill(
  { id, name, source, digest }: SkillActivated,
  view: SkillConversation,
  known: Map<string, PolicySkill>,
): Promise<PolicySkill> {
  const key = `${id} ${digest}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const place = `${name}@${source}`;
  const found = view.find(place);
  const read = await view.readFile(place, "SKILL.md", { page: true });
  const text = read.ok && read.kind === "text" ? read.text : "";
  const { skill } = parseSkill(text, { directoryName: name });
  // A skill that cannot be read declares no tools, so nothing is done on its behalf.
  const allowedTools = skill === undefined ? [] : skill.allowedTools;
  const trusted = found.ok && found.skill.trusted;
  const policy = { name, trusted, ...(allowedTools && { allowedTools }) };
  known.set(key, policy);
  return policy;
}

/** An active skill of a resumed run may have changed or gone. */
async function checkSkill(skill: SkillActivated, run: Run): Promise<void> {
  const { id, name, source, by } = skill;
  const place = `${name}@${source}`;
  const activation = run.view.find(place).ok
    ? await run.view.activate(place, { by, roomTokens: run.roomTokens() })
    : ({ ok: false, message: "it is not there any more, or not trusted" } as const);
  if (!activation.ok) {
    run.record({ event: "skill-drop", data: { id, name, reason: activation.message } });
    run.view.ledger.remove(id);
  } else if (!activation.alreadyActive) {
    const changed = activationEvent(activation, { turn: run.state.usage.turns, id, by }, run);
    run.record({ event: "skill-activate", data: { ...skill, ...changed, changed: true } });
  }
}

/**
 * Works a skill through in a child run, with its own context and a part of the budget. A child that had
 * begun when its parent was cut off goes on; one that had ended is not repeated.
 */
async function runChild(run: ParentRun, skill: SkillRecord, turn: number): Promise<ChildEnd> {
  const { children, child, pending } = run.state;
  const place = `${skill.name}@${skill.source}`;
  const before = children.find((one) => one.skill === place);
  if (before !== undefined) return before;
  // Acts are carried out in order: the first call that selects is the current one.
  const { call = 0 } = pending.find(({ action }) => action.action === "select_skills") ?? {};
  const number = call * MAX_SELECTED + children.length;
  const runId = child ?? `${run.id}.${turn}${number === 0 ? "" : `-${number + 1}`}`;
  const end = await workThrough(run, { turn, runId, skill: place });
  const { status, answer, usage, approval, heldChanges, conversation } = end;
  const { secretNames } = conversation ?? {};
  // A child that was stopped or lacks something goes on when its parent does.
  if (status === "canceled" || (status === "error" && run.signal.aborted)) {
    run.signal.throwIfAborted();
    throw new StepStopped();
  }
  const what = { turn, runId, skill: place, status, answer };
  const data = { ...what, ...defined({ heldChanges, secretNames }), usage };
  if (approval !== undefined) run.record({ event: "child-wait", data: { runId, approval } });
  else run.record({ event: "child-end", data });
  return data;
}

/** One call selects no more. */
const MAX_SELECTED = 20;
/** Ends that a child goes on from. */
const GOES_ON: ReadonlySet<RunEnd["status"]> = new Set(["needs_approval", "canceled", "error"]);

async function workThrough(run: ParentRun, data: Omit<ChildEnd, "status" | "answer" | "usage">) {
  const { options, state } = run;
  const { runId, skill, turn } = data;
  const { conversation: _, answer: _schema, approve, ...shared } = options;
  const { invoked, use = [] } = namedBy(run, skill, turn);
  const { normalizedRequest: request = "", attachments = [] } = state.start ?? {};
  const secretNames = state.secretNames.length > 0 ? state.secretNames : undefined;
  const given = {
    ...shared,
    request,
    use,
    attachments,
    budget: slice(state.budget, state.usage),
    child: defined({ parent: run.id, skill, invoked, secretNames }),
    ids: () => runId,
  };
  if (state.child === undefined) {
    run.record({ event: "child-start", data });
    await run.flush();
    return driveRun(await openRun(given));
  }
  const log = await options.store.open(runId);
  const before = foldRecords(log?.records ?? []);
  const { start, end } = before;
  // It was cut off before its start was recorded.
  if (log === undefined || start === undefined) return driveRun(await openRun(given, log));
  if (end !== undefined && !GOES_ON.has(end.status)) {
    log.close();
    return { ...end, conversation: conversationOf(before) };
  }
  if (approve !== undefined) {
    const approval = { reason: "approval", approval: approve } as const;
    const reopened = await reopenRun(log, { ...given, approve }, approval);
    if (reopened.ok) return driveRun(reopened.run);
  }
  // An approval that does not count is asked for again.
  const again = approve === undefined ? log : await options.store.open(runId);
  const reopened = again && (await reopenRun(again, given, { reason: "crash" }));
  if (reopened?.ok !== true) throw new Error(`the record of ${runId} vanished`);
  return driveRun(reopened.run);
}

/** What a child begins with when a person named its skill. */
function namedBy(run: ParentRun, place: string, turn: number) {
  const isPlace = (name: string) => {
    const found = run.options.skills.find(name);
    return found.ok && `${found.skill.name}@${found.skill.source}` === place;
  };
  const named = firstSkills(run).findLast(({ name, isApart }) => isApart && isPlace(name));
  if (turn !== CALL_TURN || named === undefined) return {};
  const { arguments: args } = named;
  return args === undefined ? { use: [place] } : { invoked: { skill: place, arguments: args } };
}

/** A larger step back means that somebody set the clock. */
const MAX_AHEAD_MS = 10_000;

/** Names runs `<timestamp>-<id>`, which sort in the order in which the runs began. */
export function createRunIds(clock: () => number = Date.now): () => string {
  let last = 0;
  return () => {
    const now = clock();
    last = last >= now && last - now < MAX_AHEAD_MS ? last + 1 : now;
    const time = new Date(last).toISOString().replaceAll(/[-:.]/g, "");
    return `${time}-${randomUUID().slice(0, 8)}`;
  };
}

const newRunId = createRunIds();
