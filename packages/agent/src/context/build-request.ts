import { estimateTokens, knownTokens } from "@skillwright/core";
import { contentDigest } from "@skillwright/runtime";
import { actionDefinitions } from "../actions/action.ts";
import type { AgentTools } from "../acts/observation.ts";
import type { ContextEntry } from "../events/run-event.ts";
import type { RunState } from "../loop/run-state.ts";
import type { Model, ModelMessage, ModelRequest, ModelView } from "../models/model.ts";
import { fitEntries, shortened, tokensOf } from "./fit-entries.ts";

interface BuiltRequest {
  readonly request: ModelRequest;
  readonly tokens: number;
  /** Messages that were left out or cut to make room. */
  readonly dropped: number;
  /** Ids of the skills among them. */
  readonly droppedSkills: readonly string[];
}

interface BuildOptions {
  readonly tools: AgentTools;
  readonly model: Pick<Model, "contextTokens" | "protocol" | "maxOutputTokens">;
  readonly mustAnswer: boolean;
}

const MAX_OUTPUT_TOKENS = 16_384;
const ANSWER_NOW =
  "[This is the last turn of the budget: no more calls are carried out. Answer now, with what you have.]";

/** Pure: what the model is sent in this turn. */
export function buildRequest(state: RunState, options: BuildOptions): BuiltRequest {
  const { tools, model, mustAnswer } = options;
  const system = state.start?.system ?? "";
  const actions = definitionsOf(options);
  const { entries, tokens, dropped, droppedSkills } = fitEntries(
    state.entries,
    roomFor(state, options),
  );
  const messages = entries.map(({ message }) => message);
  if (mustAnswer) messages.push({ role: "user", content: ANSWER_NOW });
  return {
    request: {
      system,
      messages,
      actions,
      maxOutputTokens: outputTokens(model),
      view: viewOf(state, tools, mustAnswer),
    },
    tokens: tokens + frameTokens(state.start ?? NO_START, actions),
    dropped,
    droppedSkills,
  };
}

function definitionsOf({ tools, model: { protocol } }: BuildOptions) {
  const { answer, canRun } = tools;
  return actionDefinitions({
    tools: tools.tools,
    canRun,
    protocol,
    ...(answer && { answer }),
  });
}

function outputTokens({ contextTokens, maxOutputTokens }: BuildOptions["model"]): number {
  return Math.min(maxOutputTokens ?? MAX_OUTPUT_TOKENS, Math.floor(contextTokens / 4));
}

function roomFor(state: RunState, options: BuildOptions): number {
  const { model } = options;
  const frame = frameTokens(state.start ?? NO_START, definitionsOf(options));
  return model.contextTokens - outputTokens(model) - frame;
}

/** Tokens of instructions that one more skill may bring. */
export function skillRoom(state: RunState, options: BuildOptions): number {
  const used = state.entries.reduce((sum, { message }) => sum + tokensOf(message), 0);
  const room = roomFor(state, options);
  return Math.max(MIN_SKILL_TOKENS, Math.floor(Math.max(room - used, room / 2) * SKILL_SHARE));
}

const MIN_SKILL_TOKENS = 500;
const SKILL_SHARE = 0.8;
/** Trimmed to so much, the beginning of the conversation stays the same for many turns. */
const TRIM_TO = 0.7;
/** The last turn is never shortened: it is what the model works with. */
const KEPT = 2;

/** How many of the first messages have to be shortened; undefined when all fit. */
export function trimPoint(state: RunState, options: BuildOptions): number | undefined {
  const room = roomFor(state, options);
  const { entries } = state;
  let tokens = entries.reduce((sum, { message }) => sum + tokensOf(message), 0);
  if (tokens <= room) return undefined;
  const last = entries.findLastIndex(({ kind }) => kind === "decision");
  const most = last === -1 ? entries.length - KEPT : last;
  let point = 0;
  let saved = 0;
  for (; point < most && tokens > room * TRIM_TO; point++) {
    const entry = entries[point] as ContextEntry;
    const less = tokensOf(entry.message) - tokensOf(shortened(entry).message);
    tokens -= less;
    saved += less;
  }
  return saved > 0 ? point : undefined;
}

const NO_START = { system: "" };
const FRAMES = new WeakMap<object, WeakMap<object, number>>();

/** The same in every turn of a run. */
function frameTokens(start: { readonly system: string }, actions: object): number {
  const known = FRAMES.get(start) ?? new WeakMap<object, number>();
  FRAMES.set(start, known);
  const tokens =
    known.get(actions) ?? knownTokens(start.system) + estimateTokens(JSON.stringify(actions));
  known.set(actions, tokens);
  return tokens;
}

/** Of all messages, as they are now. */
export function contextTokens(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}

function viewOf(state: RunState, tools: AgentTools, mustAnswer: boolean): ModelView {
  const { start, active, steps } = state;
  const { attachments = [], conversation, use = [] } = start ?? {};
  const wanted = new Set(use.map((name) => name.replace(/@[^@]*$/, "").toLowerCase()));
  return {
    request: start?.normalizedRequest ?? "",
    history: conversation?.exchanges ?? [],
    attachments: attachments.map(({ path }) => ({ path })),
    wanted: active.flatMap(({ name }) => (wanted.has(name.toLowerCase()) ? [name] : [])),
    skills: start?.catalog.skills ?? [],
    omittedSkills: start?.catalog.omitted ?? 0,
    active: active.map(({ name, source, text, files, carried }) => ({
      name,
      source,
      text,
      files,
      ...(carried && { carried }),
      scripts: tools.canRun ? files.filter((path) => tools.isScript(path)) : [],
    })),
    steps,
    tools: tools.tools.map(({ name }) => name),
    mustAnswer,
  };
}

/** By what they are of: messages and lists of actions stay the same objects from turn to turn. */
const DIGESTS = new WeakMap<object, string>();

/** Of all that the model is sent. Only what is new in a turn has to be read for it. */
export function requestDigest({ system, messages, actions }: ModelRequest): string {
  return contentDigest([systemDigest(system), digestOf(actions), ...messages.map(digestOf)].join());
}

let lastSystem = { text: "", digest: contentDigest("") };

/** The same in every turn of a run. */
function systemDigest(text: string): string {
  if (text !== lastSystem.text) lastSystem = { text, digest: contentDigest(text) };
  return lastSystem.digest;
}

function digestOf(value: object): string {
  const known = DIGESTS.get(value);
  if (known !== undefined) return known;
  const digest = contentDigest(JSON.stringify(value));
  DIGESTS.set(value, digest);
  return digest;
}
