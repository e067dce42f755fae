import type {
  Activation,
  Failure,
  ScriptExecutor,
  SkillRecord,
  Conversation as SkillConversation,
  SkillTool,
} from "@skillwright/core";
import { type JsonSchema, isHostError } from "@skillwright/core/internal";
import { AuditError } from "@skillwright/runtime";
import type { SkillReference } from "../actions/action.ts";
import type { ActionEnded, AgentEvent, ChildEnd, SkillActivated } from "../events/run-event.ts";
import type { RunState } from "../loop/run-state.ts";
import type { ModelImage } from "../models/model.ts";

/** Where calls take effect. */
export interface World {
  /** The current state, not the one in which the call began. */
  readonly state: RunState;
  readonly view: SkillConversation;
  readonly tools: AgentTools;
  readonly acceptsImages: boolean;
  /** Tokens of instructions that still fit into the context. */
  roomTokens(): number;
  /** Replaces the values of known secrets by placeholders. */
  hide(text: string): string;
  record(event: AgentEvent): void;
  /** Works a skill through in a child run. */
  runChild(skill: SkillRecord, turn: number): Promise<ChildEnd>;
}

export interface AgentTools {
  readonly tools: readonly SkillTool[];
  /** Undefined when scripts cannot be run. */
  readonly executor?: ScriptExecutor;
  readonly canRun: boolean;
  /** The run began without a skill. */
  readonly noSkills?: boolean | undefined;
  isScript(path: string): boolean;
  /** The schema of a structured answer. */
  readonly answer?: JsonSchema;
}

/** The result of a call, before it is shortened for the model. */
export type Observation = Pick<ActionEnded, "ok" | "code"> & {
  readonly text: string;
  readonly images?: readonly ModelImage[];
};

export function failed(failure: Failure): Observation {
  return { ok: false, code: failure.code, text: failureText(failure) };
}

export function failureText({ message, hint, candidates = [] }: Failure): string {
  const near =
    candidates.length === 0 ? "" : ` Did you mean ${candidates.slice(0, 5).join(" or ")}?`;
  return `Error: ${message}.${near}${hint === undefined ? "" : ` ${hint}`}`;
}

/** An activation as the record holds it. */
export function activationEvent(
  { name, source, digest, tokens, text, files }: Activation,
  { turn, id, by }: Pick<SkillActivated, "turn" | "id" | "by">,
  run: Pick<World, "hide">,
): SkillActivated {
  const paths = files.map(({ path }) => path);
  return { turn, id, name, source, digest, tokens, by, text: run.hide(text), files: paths };
}

/** As the registry knows it. */
export function nameOf({ name, source }: SkillReference): string {
  return source === undefined || source === "" || name.includes("@") ? name : `${name}@${source}`;
}

/**
 * The result of a host's tool or approver, which may throw or never settle. Cancellation and a record
 * that cannot be written are thrown on.
 */
export async function observed(
  what: string,
  { signal, graceMs }: { readonly signal: AbortSignal; readonly graceMs: number },
  act: () => Promise<Observation>,
): Promise<Observation> {
  try {
    const observation = await inTime(act(), signal, graceMs, () => {
      throw new Error("it did not stop");
    });
    if (observation.code === "aborted") signal.throwIfAborted();
    return observation;
  } catch (error) {
    if (signal.aborted || AuditError.isInstance(error) || isHostError(error)) throw error;
    const message = `${what}: ${error instanceof Error ? error.message : "it failed"}`;
    return failed({ ok: false, code: "act-failed", message });
  }
}

/** Settles with `late()` if the promise has not settled `graceMs` after the signal. */
export function inTime<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
  graceMs: number,
  late: () => Value,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const wait = () => {
      timer = setTimeout(() => resolve(Promise.resolve().then(late)), graceMs);
    };
    if (signal.aborted) wait();
    else signal.addEventListener("abort", wait, { once: true });
    const done = () => {
      signal.removeEventListener("abort", wait);
      clearTimeout(timer);
    };
    void Promise.resolve(promise).then(resolve, reject).finally(done);
  });
}
