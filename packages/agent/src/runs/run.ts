import { promptText } from "@skillwright/core/internal";
import type { SkillRecord, SkillsView } from "@skillwright/core";
import {
  type AuditEvent,
  type AuditRecord,
  contentDigest,
  type Runtime,
} from "@skillwright/runtime";
import { actionDefinitions } from "../actions/action-definitions.ts";
import type { Action } from "../actions/action.ts";
import type { ReadOptions, Said } from "../actions/read-action.ts";
import { type Heard, hearResponse } from "../acts/hear-response.ts";
import { performAction } from "../acts/perform-action.ts";
import type { Observation } from "../acts/observation.ts";
import type { AgentTools } from "../acts/world.ts";
import { summarize } from "../context/summarize.ts";
import type {
  ActionDecided,
  ActionEnded,
  AgentEvent,
  ChildEnd,
  RunMeans,
} from "../events/agent-event.ts";
import { applyEvent } from "../loop/apply-event.ts";
import type { DrivenRun } from "../loop/driven-run.ts";
import { EMPTY_STATE, type RunState } from "../loop/run-state.ts";
import type { Model } from "../models/model.ts";
import { callingModel, isCallDue } from "./called-apart.ts";
import type { OpenRunOptions } from "./open-run-options.ts";
import { recordedTool } from "./recorded-tool.ts";
import { redactWhole } from "./redact-fields.ts";
import { requireRoom } from "./require-room.ts";
import type { RunLog, RunStore } from "./run-log.ts";
import { withoutDigests } from "./without-digests.ts";

export interface RunOptions extends OpenRunOptions {
  readonly store: RunStore;
  readonly ids: () => string;
  /** The approval with which a resumed run goes on, for the child that waits for it. */
  readonly approve?: string;
}

/** Works a skill through in a run of its own. */
export type RunChild = (run: Run, skill: SkillRecord, turn: number) => Promise<ChildEnd>;

const CATALOG_TOKENS = 4000;
const OUT_OF_TIME = new DOMException("the time of the run is used up", "TimeoutError");
const NO_TOOLS: AgentTools = { tools: [], canRun: false, isScript: () => false };

/** A run while it is worked on: its state, its record, and where it has its effects. */
export class Run implements DrivenRun {
  readonly id: string;
  readonly options: RunOptions;
  readonly log: RunLog;
  readonly view: SkillsView;
  readonly signal: AbortSignal;
  state: RunState = EMPTY_STATE;
  tools: AgentTools = NO_TOOLS;
  readonly #runChild: RunChild;
  readonly #clock: () => number;
  readonly #began: number;
  readonly #spentBefore: number;
  /** The last decision whose record leaves something out; it is nowhere else. */
  #original: { readonly turn: number; readonly action: Action } | undefined;
  readonly #ending = new AbortController();
  readonly #cancel = () => this.#ending.abort(this.signal.reason);
  #timer: NodeJS.Timeout | undefined;

  constructor(log: RunLog, options: RunOptions, runChild: RunChild) {
    const {
      skills,
      signal = new AbortController().signal,
      clock = () => performance.now(),
    } = options;
    this.id = log.runId;
    this.log = log;
    this.options = options;
    this.#runChild = runChild;
    this.signal = signal;
    for (const record of log.records) this.state = applyEvent(this.state, record);
    const { active, usage } = this.state;
    this.view = skills.view({
      ledger: active.map(({ id, name, digest, by }) => ({
        id,
        name,
        digest,
        ...(by === "person" && { byPerson: true as const }),
      })),
    });
    this.#clock = clock;
    this.#began = clock();
    this.#spentBefore = usage.timeMs;
  }

  get model(): Model {
    const { model } = this.options;
    return isCallDue(this.state) ? callingModel(model, this.state) : model;
  }

  get stop() {
    return this.options.stop;
  }

  get onText() {
    return this.options.onText;
  }

  get catalogTokens(): number {
    return this.options.catalogTokens ?? CATALOG_TOKENS;
  }

  get means(): RunMeans {
    const { model } = this;
    const { tools, canRun } = this.tools;
    const names = new Set(tools.map(({ name }) => name));
    const definitions = actionDefinitions({ tools, canRun, mustAnswer: false });
    return {
      model: model.id,
      protocol: model.protocol,
      contextTokens: model.contextTokens,
      tools: definitions.filter(({ name }) => names.has(name)),
      canRun,
    };
  }

  /** From now on it can act, as far as the runtime lets it. */
  equip(runtime: Runtime | undefined): void {
    const { skills, tools = [] } = this.options;
    const search = skills
      .tools({ view: this.view, preset: "standard", catalogBudgetTokens: this.catalogTokens })
      .filter(({ name }) => name === "search_skills");
    const { executor } = runtime ?? {};
    const hostTools = tools.map((tool) => recordedTool(tool, (event) => this.append(event)));
    this.tools = {
      tools: [...search, ...(runtime?.tools ?? []), ...hostTools],
      canRun: executor !== undefined,
      isScript: (path) => path.startsWith("scripts/") && executor?.canRun(path) === true,
      ...(executor && { executor }),
    };
  }

  record(event: AgentEvent): void {
    requireRoom(event.event, event.data);
    this.append(event);
  }

  /** First the record, then the state: what is not written down has not happened. */
  append(event: AuditEvent): AuditRecord {
    const isLeftOut = this.state.pending?.redacted === true;
    const record = this.log.append(isLeftOut ? withoutDigests(event) : event);
    this.state = applyEvent(this.state, record);
    this.options.onEvent?.(record);
    return record;
  }

  hear(turn: number, said: Said, options: ReadOptions): Heard["recorded"] {
    const { recorded, original } = hearResponse(said, options, this.log.redactor);
    this.#original = original && { turn, action: original };
    return recorded;
  }

  perform(decided: ActionDecided, signal: AbortSignal): Promise<Observation> {
    const { view, tools } = this;
    const world = {
      view,
      tools,
      record: (event: AgentEvent) => this.record(event),
      runChild: (skill: SkillRecord, turn: number) => this.#runChild(this, skill, turn),
    };
    return performAction(this.#actionOf(decided), this.state, world, signal);
  }

  #actionOf({ turn, action, redacted }: ActionDecided): Action {
    if (redacted !== true) return action;
    if (this.#original?.turn === turn) return this.#original.action;
    throw new TypeError(`what was decided in turn ${turn} is not known any more`);
  }

  elapsed(): number {
    return Math.round(this.#spentBefore + this.#clock() - this.#began);
  }

  /** One for the whole run, with a timer that is stopped when it is closed. */
  deadline(): AbortSignal {
    if (this.#timer === undefined) {
      const left = Math.max(1, this.state.budget.timeMs - this.elapsed());
      // Not `AbortSignal.any` with a timeout: nothing holds that one, and it goes with the garbage.
      this.#timer = setTimeout(() => this.#ending.abort(OUT_OF_TIME), Math.min(left, 2 ** 31 - 1));
      this.signal.addEventListener("abort", this.#cancel, { once: true });
      if (this.signal.aborted) this.#cancel();
    }
    return this.#ending.signal;
  }

  shorten(turn: number, text: string): Pick<ActionEnded, "observation" | "output"> {
    // Redacted before it is cut: half a secret would not be recognised.
    const whole = redactWhole(promptText(text), this.log.redactor);
    const { observation, isWhole } = summarize(whole);
    if (isWhole) return { observation };
    const file = this.log.saveOutput(`turn-${turn}.txt`, whole);
    const bytes = Buffer.byteLength(whole);
    const output = { bytes, digest: contentDigest(whole), ...(file !== undefined && { file }) };
    return { observation, output };
  }

  close(): void {
    clearTimeout(this.#timer);
    this.signal.removeEventListener("abort", this.#cancel);
    this.log.close();
  }
}
