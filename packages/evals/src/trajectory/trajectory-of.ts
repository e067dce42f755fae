import type { Action, AgentEvent } from "@skillwright/agent";
import type { ActionDecided, RunUsage } from "@skillwright/agent/internal";
import type { AuditEvent, AuditRecord } from "@skillwright/runtime";
import { CHILD_MARK } from "../sequence/match-steps.ts";
import type { Trajectory, TrajectoryStep, TrajectoryUsage } from "./trajectory.ts";

/** What was decided, before anybody knows what comes of it. Undefined for what changes only the plan. */
function stepOf({ turn, action }: ActionDecided): Omit<TrajectoryStep, "atMs"> | undefined {
  if (action.action === "update_plan") return undefined;
  const { action: name, plan_update: _, ...fields } = action;
  return {
    action: name,
    subject: subjectOf(action),
    arguments: fields,
    ok: false,
    observation: "",
    turn,
  };
}

function subjectOf(action: Action): string {
  switch (action.action) {
    case "select_skills":
      return action.skills.map(({ name }) => name).join(", ");
    case "load_resource":
    case "run_script":
      return `${action.skill.name}/${action.relative_path}`;
    case "use_tool":
      return action.tool;
    default:
      return "";
  }
}

interface TrajectoryOptions {
  /** The records of a child run, when they do not stand between those of its parent. */
  readonly childRecords?: (runId: string) => readonly RunEvent[];
}

/** A line of the record, or what a run reported while it was under way. */
type RunEvent = Pick<AuditRecord, "event" | "data"> | AuditEvent;

/**
 * Pure. What was done in a run, from its record: what is left out there is left out here. Steps stand in
 * the order in which they were decided. Those of a child run stand behind the selection that started it,
 * with the skill before their subject: `pdf > read_file`; the child's answer is what that selection
 * brought, and no step.
 */
export function trajectoryOf(
  records: readonly RunEvent[],
  options: TrajectoryOptions = {},
): Trajectory {
  const reading = new Reading(options);
  for (const record of records) reading.read(record);
  return reading.trajectory();
}

/** A run that is being read, and what of it is not finished yet. */
interface Level {
  readonly mark: string;
  pending?: { readonly at: number; readonly decided: ActionDecided };
  /** Names of what the model called in this turn. */
  called: string;
}

type Draft = { -readonly [Key in keyof TrajectoryStep]: TrajectoryStep[Key] };

class Reading {
  readonly #options: TrajectoryOptions;
  readonly #steps: Draft[] = [];
  readonly #skills = new Set<string>();
  readonly #levels: Level[] = [{ mark: "", called: "" }];
  /** The skill of a child that was started and of which nothing was read yet. */
  #child: { readonly runId: string; readonly skill: string } | undefined;
  #answer = "";
  #status = "unfinished";
  #usage: RunUsage | undefined;
  #elapsedMs = 0;

  constructor(options: TrajectoryOptions) {
    this.#options = options;
  }

  read(record: RunEvent): void {
    const event = record as AgentEvent;
    switch (event.event) {
      case "run-start":
        if (event.data.parent !== undefined && this.#child !== undefined) this.#enter();
        return;
      case "model-response":
        this.#level.called = event.data.calls[0]?.name ?? "";
        this.#elapsedMs = Math.max(this.#elapsedMs, event.data.elapsedMs);
        return;
      case "action-decide":
        this.#decide(event.data);
        return;
      case "action-reject":
        this.#add({
          ...rejected(this.#level.called),
          observation: event.data.problem,
          turn: event.data.turn,
        });
        return;
      case "skill-activate":
        this.#skills.add(event.data.name);
        return;
      case "child-start":
        this.#child = { runId: event.data.runId, skill: nameOf(event.data.skill) };
        this.#skills.add(this.#child.skill);
        return;
      case "child-end":
        this.#readChild(event.data.runId);
        return;
      case "action-end": {
        const { ok, observation, elapsedMs } = event.data;
        this.#finish({ ok, observation, atMs: elapsedMs });
        return;
      }
      case "run-end":
        if (this.#levels.length > 1) this.#levels.pop();
        else this.#end(event.data);
        return;
      default:
    }
  }

  trajectory(): Trajectory {
    return {
      steps: this.#steps,
      skills: [...this.#skills],
      answer: this.#answer,
      status: this.#status,
      usage: usageOf(this.#usage, this.#steps, this.#elapsedMs),
    };
  }

  get #level(): Level {
    return this.#levels.at(-1) ?? { mark: "", called: "" };
  }

  #enter(): void {
    const mark = `${this.#level.mark}${this.#child?.skill ?? ""}${CHILD_MARK}`;
    this.#levels.push({ mark, called: "" });
    this.#child = undefined;
  }

  #decide(decided: ActionDecided): void {
    const step = stepOf(decided);
    if (step === undefined) return;
    const isAnswer = step.action === "final_answer";
    if (isAnswer && this.#levels.length > 1) return;
    this.#add({ ...step, ok: isAnswer });
    if (!isAnswer) this.#level.pending = { at: this.#steps.length - 1, decided };
  }

  #add(step: Omit<TrajectoryStep, "atMs">): void {
    const subject = `${this.#level.mark}${step.subject}`;
    this.#steps.push({ ...step, subject, atMs: this.#elapsedMs });
  }

  #finish(end: Pick<TrajectoryStep, "ok" | "observation" | "atMs">): void {
    this.#elapsedMs = Math.max(this.#elapsedMs, end.atMs);
    const { pending } = this.#level;
    const step = pending && this.#steps[pending.at];
    if (step !== undefined) Object.assign(step, end);
    delete this.#level.pending;
  }

  /** Of a record that holds the parent's events only. */
  #readChild(runId: string): void {
    if (this.#child?.runId !== runId) return;
    const records = this.#options.childRecords?.(runId) ?? [];
    const depth = this.#levels.length;
    if (records.length === 0) this.#child = undefined;
    else {
      this.#enter();
      for (const record of records) this.read(record);
    }
    this.#levels.length = depth;
  }

  #end({ status, answer, usage }: Extract<AgentEvent, { event: "run-end" }>["data"]): void {
    this.#status = status;
    this.#answer = answer;
    this.#usage = usage;
  }
}

function rejected(called: string): Omit<TrajectoryStep, "atMs" | "observation" | "turn"> {
  return { action: "rejected", subject: called, arguments: {}, ok: false };
}

/** Without its source: `pdf@user` is `pdf`. */
function nameOf(skill: string): string {
  return skill.split("@", 1)[0] ?? skill;
}

/** Of a run that has not ended, what its steps tell. */
function usageOf(
  usage: RunUsage | undefined,
  steps: readonly TrajectoryStep[],
  elapsedMs: number,
): TrajectoryUsage {
  if (usage !== undefined) {
    const { turns, toolCalls, scripts, inputTokens, outputTokens, cost, timeMs } = usage;
    return { turns, toolCalls, scripts, inputTokens, outputTokens, cost, timeMs };
  }
  const count = (...actions: readonly string[]) =>
    steps.filter(({ action }) => actions.includes(action)).length;
  return {
    turns: Math.max(0, ...steps.map(({ turn }) => turn)),
    toolCalls: count("run_script", "use_tool", "load_resource"),
    scripts: count("run_script"),
    inputTokens: 0,
    outputTokens: 0,
    cost: 0,
    timeMs: elapsedMs,
  };
}
