import {
  type SkillRecord,
  type Conversation as SkillConversation,
  type SkillTool,
} from "@skillwright/core";
import { defined, promptText } from "@skillwright/core/internal";
import type { Audit, AuditEvent, AuditRecord, Redactor, Runtime } from "@skillwright/runtime";
import { contentDigest, UNREDACTED } from "@skillwright/runtime/internal/records";
import { AsyncLocalStorage } from "node:async_hooks";
import { setMaxListeners } from "node:events";
import { actionDefinitions } from "../actions/action.ts";
import { findJson } from "../actions/read-json.ts";
import type { AgentTools, Observation } from "../acts/observation.ts";
import { performAction } from "../acts/perform-action.ts";
import { skillRoom } from "../context/build-request.ts";
import { summarize } from "../context/fit-entries.ts";
import type {
  AgentEvent,
  ChildEnd,
  RecordedEvent,
  RecordedImage,
  RunEnd,
  RunMeans,
} from "../events/run-event.ts";
import { applyEvent } from "../loop/apply-event.ts";
import type { AnswerCheck, DrivenRun, ObservedPart } from "../loop/drive-run.ts";
import { EMPTY_STATE, isReading, type PendingCall, type RunState } from "../loop/run-state.ts";
import type { Model, ModelImage } from "../models/model.ts";
import {
  isUnchanged,
  redactFields,
  redactWhole,
  requireRoom,
  withoutImageData,
  withShortInstructions,
} from "./redact-fields.ts";
import type { FullRunOptions } from "./run-options.ts";
import type { RunLog } from "./run-store.ts";
import { callingModel, firstSkills } from "./first-skills.ts";

/** The turn in which skills that a person named are handed to child runs. */
export const CALL_TURN = 1;
const CATALOG_TOKENS = 4000;
/** Of a small context. */
const CATALOG_SHARE = 1 / 8;
const NEVER = new AbortController().signal;
const OUT_OF_TIME = new DOMException("the time of the run is used up", "TimeoutError");
/** Which call an event of the runtime belongs to. One for all runs: Node looks at each at every promise. */
const CALL = new AsyncLocalStorage<{ readonly runId: string; readonly call: number }>();

/** A run in progress: its state, its record, and the world in which its calls take effect. */
export class Run implements DrivenRun {
  readonly id: string;
  readonly options: FullRunOptions;
  readonly log: RunLog;
  /** Earlier records, with exact texts. */
  readonly records: readonly AuditRecord[];
  readonly view: SkillConversation;
  readonly signal: AbortSignal;
  /** Ends the run when the current step is done. */
  readonly stop: AbortSignal | undefined;
  /** With exact texts. */
  state: RunState = EMPTY_STATE;
  /**
   * Folded from the record alone, and the same object as `state` until redaction changes something.
   * Digests are of this one, so that a replay can compare them.
   */
  recordedState: RunState = EMPTY_STATE;
  tools: AgentTools = { tools: [], canRun: false, isScript: () => false };
  runtime: Runtime | undefined;
  readonly #clock: () => number;
  /** When it would have begun, had it never been stopped. */
  readonly #began: number;
  #sequence: number;
  #unwritten: AuditEvent[] = [];
  #unwrittenTexts: (readonly [number, unknown])[] = [];
  #writing: Promise<void> = Promise.resolve();
  readonly #ending = new AbortController();
  readonly #cancel = () => this.#ending.abort(this.signal.reason);
  #timer: NodeJS.Timeout | undefined;

  constructor(log: RunLog, options: FullRunOptions, exactTexts?: ReadonlyMap<number, unknown>) {
    this.id = log.runId;
    this.log = log;
    this.options = options;
    this.signal = options.signal ?? NEVER;
    this.stop = options.stop;
    this.#sequence = log.records.length;
    this.records = log.records.map((record) => {
      const exact = exactEvent(record, exactTexts?.get(record.sequence), log);
      this.#fold(record, exact);
      return { ...record, ...exact };
    });
    const { active, usage } = this.state;
    const ledger = active.map(({ id, name, digest, by }) => {
      const byPerson = by === "person" ? { byPerson: true as const } : undefined;
      return { id, name, digest, ...byPerson };
    });
    const { skills, tracer } = options;
    const state = { schemaVersion: 1, ledger };
    this.view =
      "fork" in skills
        ? skills.fork(state)
        : skills.conversation({ state, ...(tracer && { tracer }) });
    this.#clock = options.clock ?? (() => performance.now());
    this.#began = this.#clock() - usage.timeMs;
  }

  get model(): Model {
    const { model } = this.options;
    if (this.state.usage.turns >= CALL_TURN) return model;
    const named = firstSkills(this).flatMap(({ name, isApart }) => (isApart ? [name] : []));
    return named.length > 0 ? callingModel(model, named) : model;
  }

  get acceptsImages(): boolean {
    return this.model.acceptsImages === true;
  }

  get means(): RunMeans {
    const { id, protocol, contextTokens, maxOutputTokens, sampling } = this.model;
    const { tools, canRun, noSkills, answer } = this.tools;
    const names = new Set(tools.map(({ name }) => name));
    const definitions = actionDefinitions({ tools, canRun, protocol });
    return defined({
      model: id,
      protocol,
      contextTokens,
      maxOutputTokens,
      acceptsImages: this.acceptsImages || undefined,
      sampling,
      tools: definitions.filter(({ name }) => names.has(name)),
      canRun,
      noSkills: noSkills || undefined,
      answer,
    });
  }

  get catalogTokens(): number {
    const share = Math.floor(this.model.contextTokens * CATALOG_SHARE);
    return this.options.catalogTokens ?? Math.min(CATALOG_TOKENS, share);
  }

  /** Gives the run the tools and scripts of a runtime, and those of the host. */
  equip(runtime: Runtime | undefined): void {
    const { tools = [], answer } = this.options;
    this.runtime = runtime;
    const search = this.view
      .tools({ preset: "standard", catalogBudgetTokens: this.catalogTokens })
      .filter(({ name }) => name === "search_skills");
    const { executor } = runtime ?? {};
    const hostTools = tools.map((tool) => recordedTool(tool, this.audit));
    this.tools = {
      tools: [...search, ...(runtime?.tools ?? []), ...hostTools],
      canRun: executor !== undefined,
      noSkills: this.#hasNoSkills(),
      isScript: (path) => path.startsWith("scripts/") && executor?.canRun(path) === true,
      ...(executor && { executor }),
      ...(answer && { answer: answer.schema }),
    };
  }

  /** Decided once, since tools never change during a run. A person may also name a hidden skill. */
  #hasNoSkills(): boolean {
    const { start } = this.state;
    if (start !== undefined) return start.means.noSkills === true;
    const { child, use = [], request } = this.options;
    const isNamed = child !== undefined || use.length > 0 || request.trim().startsWith("/");
    return this.view.skills.length === 0 && !isNamed;
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

  /** Folds the event at once; the next `flush` writes it. */
  record({ event, data: given }: AgentEvent): void {
    const shown = withoutImageData(given);
    const text = JSON.stringify(shown);
    const short = withShortInstructions(event, shown);
    requireRoom(event, short, short === shown ? text : JSON.stringify(short));
    const { redactor } = this.log;
    // A copy that no host can change.
    const redacted = recordedData(
      event,
      redactor === UNREDACTED ? JSON.parse(text) : shown,
      redactor,
    );
    const isClean = JSON.stringify(redacted) === text;
    // The start of a run is large and shared.
    const copy = event === "run-start" ? shown : redacted;
    const recorded = { event, data: isClean ? copy : { ...redacted, redacted: true } };
    const exact = isClean && shown === given ? undefined : ({ event, data: given } as AgentEvent);
    this.#add(recorded, exact?.data);
    this.#fold(recorded, exact);
  }

  /** An event of the runtime: it belongs to the call that is being carried out. */
  append({ event, data: given }: AuditEvent): AuditRecord {
    const current = CALL.getStore();
    const call = current?.runId === this.id ? current.call : undefined;
    const pending = this.recordedState.pending.find((one) => one.call === call);
    // A request is signed: nothing may be added to it, and a resumed run needs its exact text.
    const isSigned = event === "approval-request";
    const exact = {
      ...(given as object),
      ...(call !== undefined && !isSigned && { call }),
      // The digest of a written file could serve to guess a short secret in it.
      ...(event === "workspace-write" && pending?.redacted && { digest: "[redacted]" }),
    };
    const data = redactFields(exact, this.log.redactor);
    this.#add({ event, data }, isSigned && !isUnchanged(exact, data) ? exact : undefined);
    this.#fold({ event, data });
    const [time, sequence] = [new Date().toISOString(), this.#sequence];
    return { schemaVersion: 1, sequence, time, event, data, previous: "", hash: "" };
  }

  flush(): Promise<void> {
    if (this.#unwritten.length > 0) this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Receives the text of an answer while it streams. */
  showText(text: string): void {
    const turn = this.state.usage.turns;
    this.options.onEvent?.({ event: "text-delta", data: { runId: this.id, turn, text } }, this.id);
  }

  async checkAnswer(answer: string): Promise<AnswerCheck> {
    const schema = this.options.answer?.schema;
    if (schema === undefined) return { ok: true, output: undefined };
    const given = parsedAnswer(answer);
    if (given === undefined) {
      const text = JSON.stringify(schema);
      return { ok: false, problem: `The answer has to be JSON that fits this schema: ${text}` };
    }
    const z = await import("zod");
    const checked = z.fromJSONSchema(schema).safeParse(given.value);
    if (checked.success) return { ok: true, output: checked.data };
    const issues = checked.error.issues
      .slice(0, 3)
      .map(({ path, message }) => (path.length === 0 ? message : `${path.join(".")}: ${message}`));
    return { ok: false, problem: `The answer does not fit the schema: ${issues.join("; ")}.` };
  }

  perform(call: PendingCall, signal: AbortSignal): Promise<Observation> {
    const place = { runId: this.id, call: call.call };
    return CALL.run(place, () => performAction(call, this, signal));
  }

  /** Works a skill through in a child run. */
  runChild(skill: SkillRecord, turn: number): Promise<ChildEnd> {
    return this.options.runChild(this, skill, turn);
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

  /** Milliseconds that the run has taken, without those in which it was stopped. */
  elapsed(): number {
    return Math.round(this.#clock() - this.#began);
  }

  /** Aborts when the time is used up, or a person cancels. */
  deadline(): AbortSignal {
    if (this.#timer === undefined) {
      const left = Math.max(1, this.state.budget.timeMs - this.elapsed());
      // Not `AbortSignal.any` with a timeout, which is collected as garbage while it is waited for.
      // Calls side by side all listen to this one.
      setMaxListeners(0, this.#ending.signal);
      this.#timer = setTimeout(() => this.#ending.abort(OUT_OF_TIME), Math.min(left, 2 ** 31 - 1));
      this.options.signal?.addEventListener("abort", this.#cancel, { once: true });
      if (this.signal.aborted) this.#cancel();
    }
    return this.#ending.signal;
  }

  /** What the model reads of a result; a longer whole is kept with the run. */
  shorten({ turn, call, action }: PendingCall, { text, images = [] }: Observation): ObservedPart {
    const name = call === 0 ? `turn-${turn}` : `turn-${turn}-${call + 1}`;
    const kept = images.map((image, i) => this.#keepImage(image, `${name}-image-${i + 1}`));
    const whole = promptText(text);
    const { observation, isWhole } = summarize(whole, { isReading: isReading(action) });
    const hidden = isWhole ? undefined : redactWhole(whole, this.log.redactor);
    return {
      observation,
      ...(kept.length > 0 && { images: kept }),
      ...(hidden !== undefined && { output: this.#keep(`${name}.txt`, hidden) }),
    };
  }

  #keepImage({ mediaType, data }: ModelImage, name: string): RecordedImage {
    const file = `${name}.${mediaType.slice("image/".length)}`;
    return { mediaType, data, ...this.#keep(file, Buffer.from(data, "base64")) };
  }

  #keep(name: string, content: string | Buffer) {
    const file = this.log.saveOutput(name, content);
    const bytes = Buffer.byteLength(content);
    return defined({ bytes, digest: contentDigest(content), file });
  }

  /** Exact texts serve only to resume. */
  async ended({ status }: RunEnd): Promise<void> {
    if (status === "answered") await this.options.store.exactTexts?.remove(this.id);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.options.signal?.removeEventListener("abort", this.#cancel);
    this.log.close();
    await this.runtime?.close?.();
  }

  #add(event: AuditEvent, exactData?: object): void {
    this.#sequence++;
    this.#unwritten.push(event);
    if (exactData !== undefined) this.#unwrittenTexts.push([this.#sequence, exactData]);
  }

  async #write(): Promise<void> {
    const events = this.#unwritten;
    const texts = this.#unwrittenTexts;
    this.#unwritten = [];
    this.#unwrittenTexts = [];
    if (events.length === 0) return;
    // Exact texts first: then every redacted event in the record has one.
    if (texts.length > 0) await this.options.store.exactTexts?.put(this.id, texts);
    const expectedSequence = this.#sequence - this.#unwritten.length - events.length;
    const records = await this.log.append(events, { expectedSequence });
    for (const record of records) this.options.onEvent?.(record as RecordedEvent, this.id);
  }

  #fold(recorded: { readonly event: string; readonly data?: unknown }, exact?: AgentEvent): void {
    const { state } = this;
    const isSame = state === this.recordedState && exact === undefined;
    this.recordedState = applyEvent(this.recordedState, recorded);
    this.state = isSame ? this.recordedState : applyEvent(state, exact ?? recorded);
  }
}

/** The event as it was, if redaction turns this text into what the record holds. */
function exactEvent(
  { event, data: recorded }: AuditRecord,
  data: unknown,
  { redactor }: RunLog,
): AgentEvent | undefined {
  if (typeof data !== "object" || data === null) return undefined;
  const { redacted: _, ...rest } = recorded as Readonly<Record<string, unknown>>;
  const isExact = isUnchanged(recordedData(event, withoutImageData(data), redactor), rest);
  return isExact ? ({ event, data } as AgentEvent) : undefined;
}

function recordedData(event: string, data: object, redactor: Redactor): object {
  const redacted = redactor === UNREDACTED ? data : redactFields(data, redactor);
  return withShortInstructions(event, redacted as object);
}

/**
 * Records the calls of a host's tool. Its policy is up to the host, but the record has to show a call
 * that had begun when the run was cut off.
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

/** An answer as JSON; fences and prose around it do not matter. */
function parsedAnswer(answer: string): { readonly value: unknown } | undefined {
  const bare = answer.trim().replace(/^```\w*\s*([^]*?)\s*```$/, "$1");
  try {
    return { value: JSON.parse(bare) as unknown };
  } catch {
    const { objects } = findJson(answer);
    return objects.length === 1 ? objects[0] : undefined;
  }
}
