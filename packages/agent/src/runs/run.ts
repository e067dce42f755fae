import type { SkillRecord, SkillsView, SkillTool } from "@skillwright/core";
import { promptText } from "@skillwright/core/internal";
import {
  type Audit,
  type AuditEvent,
  type AuditRecord,
  contentDigest,
  type Runtime,
} from "@skillwright/runtime";
import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import { actionDefinitions } from "../actions/action.ts";
import { isRecord } from "../actions/read-json.ts";
import { type ReadCall, readTurn } from "../actions/read-turn.ts";
import type { AgentTools, Observation } from "../acts/observation.ts";
import { performAction } from "../acts/perform-action.ts";
import { skillRoom } from "../context/build-request.ts";
import { summarize } from "../context/fit-entries.ts";
import type {
  AgentEvent,
  ChildEnd,
  ModelResponded,
  RecordedEvent,
  RecordedImage,
  RunEnd,
  RunMeans,
} from "../events/run-event.ts";
import { applyEvent } from "../loop/apply-event.ts";
import type { AnswerCheck, DrivenRun, ObservedPart } from "../loop/drive-run.ts";
import { EMPTY_STATE, isReading, type PendingCall, type RunState } from "../loop/run-state.ts";
import type { Model, ModelImage } from "../models/model.ts";
import { callingModel, isCallDue } from "./direct-call.ts";
import type { OpenRunOptions } from "./open-run.ts";
import { isUnchanged, redactFields, redactWhole, requireRoom } from "./redact-fields.ts";
import type { RunLog, RunStore } from "./run-store.ts";

/**
 * A tool of the host with its calls in the record. The host sees to its policy, but the record has to
 * show a call that had begun when the run was cut off.
 */
function recordedTool(tool: SkillTool, audit: Audit): SkillTool {
  return {
    ...tool,
    async execute(input, context) {
      audit.append({ event: "tool-call", data: { tool: tool.name, input } });
      await audit.sync();
      const result = await tool.execute(input, context);
      // After a stop the run no longer waits for results.
      if (context?.signal?.aborted !== true) {
        audit.append({ event: "tool-end", data: { tool: tool.name } });
      }
      return result;
    },
    toText: (result) => tool.toText(result),
  };
}

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
const LEFT_OUT = "[redacted]";
/** Which call an event of the runtime belongs to. One for all runs: Node looks at each at every promise. */
const CALL = new AsyncLocalStorage<{ readonly runId: string; readonly call: number }>();

/** A run while it is worked on: its state, its record, and where it has its effects. */
export class Run implements DrivenRun {
  readonly id: string;
  readonly options: RunOptions;
  readonly log: RunLog;
  /** What was recorded before, with exact texts. */
  readonly records: readonly AuditRecord[];
  readonly view: SkillsView;
  readonly signal: AbortSignal;
  state: RunState = EMPTY_STATE;
  /** The same object as `state` until redaction changes something. */
  recordedState: RunState = EMPTY_STATE;
  tools: AgentTools = NO_TOOLS;
  /** What scripts and tools may do here, for the prompt. */
  runtime: Runtime | undefined;
  readonly #runChild: RunChild;
  readonly #clock: () => number;
  readonly #began: number;
  readonly #spentBefore: number;
  #sequence: number;
  #unwritten: AuditEvent[] = [];
  #unwrittenTexts: (readonly [number, unknown])[] = [];
  #writing: Promise<void> = Promise.resolve();
  readonly #ending = new AbortController();
  readonly #cancel = () => this.#ending.abort(this.signal.reason);
  #timer: NodeJS.Timeout | undefined;

  constructor(
    log: RunLog,
    options: RunOptions,
    runChild: RunChild,
    exactTexts: ReadonlyMap<number, unknown> = new Map(),
  ) {
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
    this.#sequence = log.records.length;
    this.records = log.records.map((record) => {
      const exact = this.#exact(record, exactTexts);
      this.#fold(record, exact);
      return { ...record, ...exact };
    });
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

  get catalogTokens(): number {
    return this.options.catalogTokens ?? CATALOG_TOKENS;
  }

  get means(): RunMeans {
    const {
      id: model,
      protocol,
      contextTokens,
      maxOutputTokens,
      acceptsImages,
      sampling,
    } = this.model;
    const { tools, canRun, answer } = this.tools;
    const names = new Set(tools.map(({ name }) => name));
    const definitions = actionDefinitions({ tools, canRun, protocol });
    return {
      model,
      protocol,
      contextTokens,
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      ...(acceptsImages === true && { acceptsImages }),
      ...(sampling && { sampling }),
      tools: definitions.filter(({ name }) => names.has(name)),
      canRun,
      ...(answer && { answer }),
    };
  }

  /** From now on it can act, as far as the runtime lets it. */
  equip(runtime: Runtime | undefined): void {
    const { skills, tools = [], answer } = this.options;
    this.runtime = runtime;
    const search = skills
      .tools({ view: this.view, preset: "standard", catalogBudgetTokens: this.catalogTokens })
      .filter(({ name }) => name === "search_skills");
    const { executor } = runtime ?? {};
    const hostTools = tools.map((tool) => recordedTool(tool, this.audit));
    this.tools = {
      tools: [...search, ...(runtime?.tools ?? []), ...hostTools],
      canRun: executor !== undefined,
      isScript: (path) => path.startsWith("scripts/") && executor?.canRun(path) === true,
      ...(executor && { executor }),
      ...(answer && { answer: answer.schema }),
    };
  }

  /** The record as the runtime sees it. */
  get audit(): Audit {
    return {
      file: this.log.file,
      redactor: this.log.redactor,
      append: (event) => this.append(event),
      sync: () => this.flush(),
      close: () => {},
    };
  }

  record(event: AgentEvent): void {
    requireRoom(event.event, event.data);
    const { redactor } = this.log;
    const data = redactFields(withoutImageData(event.data), redactor) as object;
    const isSame = isUnchanged(event.data, data);
    // The start of a run is large and its own; of other data the copy stays as it is.
    const whole = event.event === "run-start" ? event.data : data;
    const recorded = isSame ? whole : { ...data, ...(isRedacted(event.data, data) && REDACTED) };
    this.#add({ event: event.event, data: recorded });
    if (!isSame) this.#unwrittenTexts.push([this.#sequence, event.data]);
    this.#fold({ event: event.event, data: recorded }, isSame ? undefined : event);
  }

  /** An event of the runtime: it belongs to the call that is being carried out. */
  append(event: AuditEvent): AuditRecord {
    const current = CALL.getStore();
    const call = current?.runId === this.id ? current.call : undefined;
    const isSecret = this.recordedState.pending.some(
      (one) => one.call === call && one.redacted === true,
    );
    const { data: given } = isSecret ? withoutDigest(event) : event;
    // A request is signed: nothing may be added to it, and a resumed run needs its exact text.
    const isSigned = event.event === "approval-request";
    const exact = call === undefined || isSigned ? given : { ...(given as object), call };
    const data = redactFields(exact, this.log.redactor);
    this.#add({ event: event.event, data });
    if (isSigned && !isUnchanged(exact, data)) this.#unwrittenTexts.push([this.#sequence, exact]);
    this.#fold({ event: event.event, data });
    const time = new Date().toISOString();
    const sequence = this.#sequence;
    return { schemaVersion: 1, sequence, time, event: event.event, data, previous: "", hash: "" };
  }

  flush(): Promise<void> {
    if (this.#unwritten.length > 0) this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  showText(text: string): void {
    const turn = this.state.usage.turns;
    this.options.onEvent?.({ event: "text-delta", data: { runId: this.id, turn, text } });
  }

  read(response: ModelResponded, from: number): readonly ReadCall[] {
    const { tools, canRun } = this.tools;
    const { protocol } = this.model;
    const names = tools.map(({ name }) => name);
    const active = this.state.active.map(({ name, source }) => `${name}@${source}`);
    return readTurn(response, { tools: names, canRun, protocol, active }).slice(from);
  }

  trim(compute: () => number | undefined): number | undefined {
    return compute();
  }

  async checkAnswer(answer: string): Promise<AnswerCheck> {
    const { answer: asked } = this.options;
    if (asked === undefined) return { ok: true, output: undefined };
    const { checkAnswer } = await import("./check-answer.ts");
    return checkAnswer(answer, asked.schema);
  }

  perform(call: PendingCall, signal: AbortSignal): Promise<Observation> {
    const { view, tools, model } = this;
    const state = () => this.state;
    const world = {
      get state() {
        return state();
      },
      view,
      tools,
      acceptsImages: model.acceptsImages === true,
      roomTokens: () => this.roomTokens(),
      hide: (text: string) => this.hide(text),
      record: (event: AgentEvent) => this.record(event),
      runChild: (skill: SkillRecord, turn: number) => this.#runChild(this, skill, turn),
    };
    const place = { runId: this.id, call: call.call };
    return CALL.run(place, () => performAction(call, world, signal));
  }

  /** Tokens of instructions that still fit into the context. */
  roomTokens(): number {
    const { tools, model, state } = this;
    return skillRoom(state, { tools, model, mustAnswer: false });
  }

  /** Replaces the values of known secrets by placeholders. */
  hide(text: string): string {
    return this.runtime?.secrets?.hide(text) ?? text;
  }

  elapsed(): number {
    return Math.round(this.#spentBefore + this.#clock() - this.#began);
  }

  /** One for the whole run, with a timer that is stopped when it is closed. */
  deadline(): AbortSignal {
    if (this.#timer === undefined) {
      const left = Math.max(1, this.state.budget.timeMs - this.elapsed());
      // Not `AbortSignal.any` with a timeout: nothing holds that one, so it is collected as garbage.
      // Calls side by side all listen to it.
      setMaxListeners(0, this.#ending.signal);
      this.#timer = setTimeout(() => this.#ending.abort(OUT_OF_TIME), Math.min(left, 2 ** 31 - 1));
      this.signal.addEventListener("abort", this.#cancel, { once: true });
      if (this.signal.aborted) this.#cancel();
    }
    return this.#ending.signal;
  }

  shorten({ turn, call, action }: PendingCall, { text, images = [] }: Observation): ObservedPart {
    const name = call === 0 ? `turn-${turn}` : `turn-${turn}-${call + 1}`;
    const kept = images.map((image, i) => this.keepImage(image, `${name}-image-${i + 1}`));
    const whole = promptText(text);
    const { observation, isWhole } = summarize(whole, { isReading: isReading(action) });
    const seen = { observation, ...(kept.length > 0 && { images: kept }) };
    if (isWhole) return seen;
    const redacted = redactWhole(whole, this.log.redactor);
    const file = this.log.saveOutput(`${name}.txt`, redacted);
    const bytes = Buffer.byteLength(redacted);
    const digest = contentDigest(redacted);
    return { ...seen, output: { bytes, digest, ...(file !== undefined && { file }) } };
  }

  keepImage({ mediaType, data }: ModelImage, name: string): RecordedImage {
    const content = Buffer.from(data, "base64");
    const file = this.log.saveOutput(`${name}.${mediaType.slice("image/".length)}`, content);
    const digest = contentDigest(content);
    const place = file === undefined ? undefined : { file };
    return { mediaType, data, bytes: content.length, digest, ...place };
  }

  /** Exact texts serve only to resume. */
  async ended({ status }: RunEnd): Promise<void> {
    if (status === "answered") await this.options.store.exactTexts?.remove(this.id);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.signal.removeEventListener("abort", this.#cancel);
    this.log.close();
  }

  #add(event: AuditEvent): void {
    this.#sequence++;
    this.#unwritten.push(event);
  }

  async #write(): Promise<void> {
    const events = this.#unwritten;
    const texts = this.#unwrittenTexts;
    this.#unwritten = [];
    this.#unwrittenTexts = [];
    if (events.length === 0) return;
    // First the exact texts: an event that says it is redacted has its text.
    if (texts.length > 0) await this.options.store.exactTexts?.put(this.id, texts);
    const expectedSequence = this.#sequence - this.#unwritten.length - events.length;
    const records = await this.log.append(events, { expectedSequence });
    for (const record of records) this.options.onEvent?.(record as RecordedEvent);
  }

  #fold(recorded: { readonly event: string; readonly data?: unknown }, exact?: AgentEvent): void {
    const wasSame = this.state === this.recordedState;
    const before = this.state;
    this.recordedState = applyEvent(this.recordedState, recorded);
    this.state =
      wasSame && exact === undefined ? this.recordedState : applyEvent(before, exact ?? recorded);
  }

  /** What the record leaves out, when there is a text that redaction turns into what it holds. */
  #exact(record: AuditRecord, texts: ReadonlyMap<number, unknown>): AgentEvent | undefined {
    const data = texts.get(record.sequence);
    if (typeof data !== "object" || data === null) return undefined;
    const redacted = redactFields(withoutImageData(data), this.log.redactor) as object;
    const { redacted: _, ...recorded } = record.data as Readonly<Record<string, unknown>>;
    return isUnchanged(redacted, recorded)
      ? ({ event: record.event, data } as AgentEvent)
      : undefined;
  }
}

const REDACTED = { redacted: true } as const;

function isRedacted(given: object, recorded: object): boolean {
  return !isUnchanged(withoutImageData(given), recorded);
}

/** Images are kept as files of the run. */
function withoutImageData(data: object): object {
  const mayHave = "images" in data || "attachments" in data || "entries" in data;
  if (!mayHave) return data;
  return JSON.parse(JSON.stringify(data), (_, value: unknown) => {
    if (!isRecord(value) || !String(value["mediaType"]).startsWith("image/")) return value;
    const { data: _bytes, ...image } = value;
    return image;
  }) as object;
}

/** The digest of a written file could serve to guess a short secret in it. */
function withoutDigest(event: AuditEvent): AuditEvent {
  const data = event.data as Readonly<Record<string, unknown>>;
  const hasDigest = event.event === "workspace-write" && "digest" in data;
  return hasDigest ? { ...event, data: { ...data, digest: LEFT_OUT } } : event;
}
