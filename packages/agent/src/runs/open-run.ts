import {
  type Failure,
  type JsonSchema,
  parseSkill,
  type Skills,
  type SkillsView,
  type SkillTool,
} from "@skillwright/core";
import type { Audit, AuditRecord, PolicySkill, Runtime } from "@skillwright/runtime";
import { randomUUID } from "node:crypto";
import { type Budget, slice } from "../loop/budget.ts";
import type {
  Attachment,
  RunEnd,
  RunEvent,
  RunResume,
  RunStart,
  SkillActivated,
} from "../events/run-event.ts";
import { driveRun } from "../loop/drive-run.ts";
import { StepStopped } from "../loop/drive-run.ts";
import type { Model } from "../models/model.ts";
import { CALL_TURN } from "./direct-call.ts";
import { type Conversation, foldRecords } from "./conversation.ts";
import { createMemoryStore, type RunLog, type RunStore } from "./run-store.ts";
import { Run, type RunChild, type RunOptions } from "./run.ts";
import { startRun, startSkills } from "./start-run.ts";

/** What a run may do. Without one, the agent can load skills and answer, and do nothing else. */
export interface RunPolicy {
  /** Called once for each run, and again when it is resumed. Fails when `approve` does not count. */
  open(context: PolicyContext): Promise<Runtime | Failure> | Runtime;
}

export interface PolicyContext {
  readonly runId: string;
  /** The run's own record: what passes the gate has to be in it. */
  readonly audit: Audit;
  /** What was recorded before, when the run is resumed. */
  readonly records: readonly AuditRecord[];
  /** The skills that are active, with what they declare. */
  readonly activeSkills: () => Promise<readonly PolicySkill[]>;
  /** The approval that a person gives with it; its request is in the records. */
  readonly approve?: string;
}

/** What policy has to know of an active skill; read again when its content is another one. */
class ActivePolicySkills {
  readonly #view: SkillsView;
  readonly #known = new Map<string, PolicySkill>();

  constructor(view: SkillsView) {
    this.#view = view;
  }

  async of(active: readonly SkillActivated[]): Promise<PolicySkill[]> {
    return Promise.all(active.map((skill) => this.#read(skill)));
  }

  async #read({ id, name, source, digest }: SkillActivated): Promise<PolicySkill> {
    const key = `${id} ${digest}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = this.#view.find(`${name}@${source}`);
    const read = await this.#view.readFile(`${name}@${source}`, "SKILL.md", { page: true });
    const text = read.ok && read.kind === "text" ? read.text : "";
    const { skill } = parseSkill(text, { directoryName: name });
    // What cannot be read declares that it needs nothing: then nothing is done on its behalf.
    const allowedTools = skill === undefined ? [] : skill.allowedTools;
    const trusted = found.ok && found.skill.trusted;
    const policy = { name, trusted, ...(allowedTools && { allowedTools }) };
    this.#known.set(key, policy);
    return policy;
  }
}

export interface AnswerOptions {
  /** The JSON Schema that the answer has to fit. */
  readonly schema: JsonSchema;
}

export interface OpenRunOptions {
  /** What the person asks for; `/skill-name …` calls a skill directly. */
  readonly request: string;
  readonly skills: Skills;
  readonly model: Model;
  /** Default: nothing but skills and answers. */
  readonly policy?: RunPolicy;
  /** Default: 40 turns, 100 tool calls, 30 scripts, 500,000 tokens, 30 minutes. */
  readonly budget?: Partial<Budget>;
  /** Skills that the person wants used, as `name` or `name@source`: active from the beginning. */
  readonly use?: readonly string[];
  /** Files that the person gives with the request. */
  readonly attachments?: readonly Attachment[];
  /** What was said before, when this is not the first request. */
  readonly conversation?: Conversation;
  readonly signal?: AbortSignal;
  /** Lets the step that is under way come to its end; then the run ends as `canceled`. */
  readonly stop?: AbortSignal;
  /**
   * Receives every event of the run and its children once it is written, and text while it streams.
   * Must not throw.
   */
  readonly onEvent?: (event: RunEvent) => void;
  /** Keeps date and paths of this machine out of the prompt, so that another run gets the same one. */
  readonly isRepeatable?: boolean;
  /** The host's own system prompt; it comes before ours. */
  readonly system?: string;
  /** Asks for an answer as JSON of a schema; `RunResult.output` has it. */
  readonly answer?: AnswerOptions;
  /** Where the run is recorded. Default: in memory. */
  readonly store?: RunStore;
  /** More tools, such as those of the host; whoever gives them sees to their policy. */
  readonly tools?: readonly SkillTool[];
  /** Tokens that level 1 may take. Default 4,000. */
  readonly catalogTokens?: number;
  /** Milliseconds that only go forward. */
  readonly clock?: () => number;
  /** Gives names of runs. */
  readonly ids?: () => string;
  /** Only of child runs. */
  readonly child?: Required<Pick<RunStart, "parent" | "skill">> & Pick<RunStart, "invoked">;
}

/** How runs begin and go on: a child does as its parent did. */
interface RunOpeners {
  readonly openRun: (options: OpenRunOptions, empty?: RunLog) => Promise<Run>;
  readonly reopenRun: (
    log: RunLog,
    options: ReopenRunOptions,
    resume: Omit<RunResume, "means">,
  ) => Promise<ReopenResult>;
}

type ReopenRunOptions = Omit<OpenRunOptions, "request"> & Pick<RunOptions, "store" | "approve">;

type ReopenResult = { readonly ok: true; readonly run: Run } | Failure;

interface ChildPlace {
  readonly runId: string;
  /** The skill, with its source. */
  readonly place: string;
  readonly turn: number;
}

/**
 * Works a skill through in a run of its own: own context, a part of the budget, a summary back. One
 * that had begun when its parent was cut off goes on; one that had ended is not done again.
 */
function createRunChild(openers: RunOpeners): RunChild {
  return async (run, skill, turn) => {
    const { children, child, pending } = run.state;
    const place = `${skill.name}@${skill.source}`;
    const before = children.find((one) => one.skill === place);
    if (before !== undefined) return before;
    // Acts are carried out in order: the first call that selects is the one under way.
    const { call = 0 } = pending.find(({ action }) => action.action === "select_skills") ?? {};
    const runId = child ?? childId(run.id, turn, call * MAX_SELECTED + children.length);
    const end = await workThrough(run, { runId, place, turn }, openers);
    const { status, answer, usage, approval, heldChanges } = end;
    // It has not ended, but goes on when its parent does.
    const isBlocked = status === "error" && run.signal.aborted;
    if (status === "canceled" || isBlocked) {
      run.signal.throwIfAborted();
      throw new StepStopped();
    }
    const held = heldChanges === undefined ? {} : { heldChanges };
    const ended = { turn, runId, skill: place, status, answer, ...held, usage };
    if (approval !== undefined) run.record({ event: "child-wait", data: { runId, approval } });
    else run.record({ event: "child-end", data: ended });
    return ended;
  };
}

/** One call selects no more. */
const MAX_SELECTED = 20;

function childId(parent: string, turn: number, before: number): string {
  return before === 0 ? `${parent}.${turn}` : `${parent}.${turn}-${before + 1}`;
}

/** What a child begins with when a person named its skill, and perhaps typed something behind it. */
function namedBy({ state, options }: Run, place: string, turn: number) {
  const { invoked, apart = [] } = state.start ?? {};
  const isPlace = (name: string) => {
    const found = options.skills.find(name);
    return found.ok && `${found.skill.name}@${found.skill.source}` === place;
  };
  if (turn !== CALL_TURN) return {};
  if (invoked?.apart === true && isPlace(invoked.skill)) {
    return { invoked: { skill: place, arguments: invoked.arguments } };
  }
  return apart.some(isPlace) ? { use: [place] } : {};
}

/** What a child that was stopped there goes on from. */
const GOES_ON: ReadonlySet<RunEnd["status"]> = new Set(["needs_approval", "canceled", "error"]);

async function workThrough(
  run: Run,
  { runId, place, turn }: ChildPlace,
  { openRun: open, reopenRun: reopen }: RunOpeners,
): Promise<RunEnd> {
  const { options, state } = run;
  const { conversation: _, answer: _schema, approve, ...shared } = options;
  const { invoked, use = [] } = namedBy(run, place, turn);
  const { normalizedRequest: request = "", attachments = [] } = state.start ?? {};
  const given = {
    ...shared,
    request,
    use,
    attachments,
    budget: slice(state.budget, state.usage),
    child: { parent: run.id, skill: place, ...(invoked && { invoked }) },
    ids: () => runId,
  };
  if (state.child === undefined) {
    run.record({ event: "child-start", data: { turn, runId, skill: place } });
    await run.flush();
    return driveRun(await open(given));
  }
  const log = await options.store.open(runId);
  const { start, end } = foldRecords(log?.records ?? []);
  // It was cut off before there was anything to go on with.
  if (log === undefined || start === undefined) return driveRun(await open(given, log));
  if (end !== undefined && !GOES_ON.has(end.status)) {
    log.close();
    return end;
  }
  if (approve !== undefined) {
    const approval = { reason: "approval", approval: approve } as const;
    const reopened = await reopen(log, { ...given, approve }, approval);
    if (reopened.ok) return driveRun(reopened.run);
  }
  // An approval that does not count is asked for again.
  const again = approve === undefined ? log : await options.store.open(runId);
  const reopened = again && (await reopen(again, given, { reason: "crash" }));
  if (reopened?.ok !== true) throw new Error(`the record of ${runId} vanished`);
  return driveRun(reopened.run);
}

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
