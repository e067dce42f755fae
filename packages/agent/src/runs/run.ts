import type { SkillRecord, SkillsView } from "@skillwright/core";
import { contentDigest, type Runtime } from "@skillwright/runtime";
import type { AgentTools, World } from "../acts/world.ts";
import { nearEnd } from "../budget/budget.ts";
import type { ActionEnded, AgentEvent, ChildEnd } from "../events/agent-event.ts";
import { applyEvent } from "../loop/apply-event.ts";
import { EMPTY_STATE, type RunState } from "../loop/run-state.ts";
import type { Model } from "../models/model.ts";
import type { OpenRunOptions } from "./open-run.ts";
import type { RunLog, RunStore } from "./run-log.ts";
import { ActivePolicySkills } from "./run-policy.ts";
import { runChild } from "./run-child.ts";

type RunOptions = OpenRunOptions & { readonly store: RunStore; readonly ids: () => string };

const CATALOG_TOKENS = 4000;

/** A run while it is worked on: its state, its record, and where it has its effects. */
export class Run implements World {
  readonly id: string;
  readonly options: RunOptions;
  readonly log: RunLog;
  readonly view: SkillsView;
  readonly signal: AbortSignal;
  state: RunState = EMPTY_STATE;
  tools: AgentTools = { tools: [], canRun: false, isScript: () => false };
  readonly #clock: () => number;
  readonly #began: number;
  readonly #spentBefore: number;

  static async open(log: RunLog, options: RunOptions): Promise<Run> {
    const run = new Run(log, options);
    const skills = new ActivePolicySkills(run.view);
    const audit = { ...log, append: (event: AgentEvent) => run.append(event) };
    const runtime = await options.policy?.open({
      runId: run.id,
      audit: audit as RunLog,
      records: log.records,
      activeSkills: () => skills.of(run.state.active),
    });
    run.tools = run.#toolsOf(runtime);
    return run;
  }

  private constructor(log: RunLog, options: RunOptions) {
    const {
      skills,
      signal = new AbortController().signal,
      clock = () => performance.now(),
    } = options;
    this.id = log.runId;
    this.log = log;
    this.options = options;
    this.signal = signal;
    for (const record of log.records) this.state = applyEvent(this.state, record);
    const { active, usage } = this.state;
    this.view = skills.view({
      ledger: active.map(({ id, name, digest }) => ({ id, name, digest })),
    });
    this.#clock = clock;
    this.#began = clock();
    this.#spentBefore = usage.timeMs;
  }

  get world(): World {
    return this;
  }

  get model(): Model {
    return this.options.model;
  }

  get catalogTokens(): number {
    return this.options.catalogTokens ?? CATALOG_TOKENS;
  }

  record(event: AgentEvent): void {
    this.append(event);
  }

  /** First the record, then the state: what is not written down has not happened. */
  append(event: { readonly event: AgentEvent["event"]; readonly data?: unknown }) {
    const record = this.log.append(event);
    this.state = applyEvent(this.state, record);
    this.options.onEvent?.(record);
    return record;
  }

  runChild(skill: SkillRecord, turn: number): Promise<ChildEnd> {
    return runChild(this, skill, turn);
  }

  /** Milliseconds that the run has taken, without those in which it was stopped. */
  elapsed(): number {
    return Math.round(this.#spentBefore + this.#clock() - this.#began);
  }

  /** Aborts when the time is used up, or somebody cancels. */
  deadline(): AbortSignal {
    const left = Math.max(1, this.state.budget.timeMs - this.elapsed());
    return AbortSignal.any([this.signal, AbortSignal.timeout(Math.min(left, 2 ** 31 - 1))]);
  }

  /** Whether the turn that was just taken was the last one. */
  mustAnswer(): boolean {
    const { budget, usage } = this.state;
    return nearEnd(budget, { ...usage, turns: usage.turns - 1 }) !== undefined;
  }

  saveOutput(turn: number, text: string): NonNullable<ActionEnded["output"]> {
    const file = this.log.saveOutput(`turn-${turn}.txt`, text);
    const bytes = Buffer.byteLength(text);
    return { bytes, digest: contentDigest(text), ...(file !== undefined && { file }) };
  }

  close(): void {
    this.log.close();
  }

  #toolsOf(runtime: Runtime | undefined): AgentTools {
    const { skills, tools = [] } = this.options;
    const search = skills
      .tools({ view: this.view, preset: "standard", catalogBudgetTokens: this.catalogTokens })
      .filter(({ name }) => name === "search_skills");
    const { executor } = runtime ?? {};
    return {
      tools: [...search, ...(runtime?.tools ?? []), ...tools],
      canRun: executor !== undefined,
      isScript: (path) => path.startsWith("scripts/") && executor?.canRun(path) === true,
      ...(executor && { executor }),
    };
  }
}
