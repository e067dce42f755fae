import { estimateTokens, knownTokens } from "@skillwright/core/internal";
import { contentDigest } from "@skillwright/runtime/internal/records";
import { actionDefinitions } from "../actions/action.ts";
import type { AgentTools } from "../acts/observation.ts";
import type { ContextEntry } from "../events/run-event.ts";
import type { RunState } from "../loop/run-state.ts";
import type { Model, ModelRequest, ModelView } from "../models/model.ts";
import {
  contextTokens,
  fitEntries,
  type FittedEntries,
  shortened,
  tokensOf,
} from "./fit-entries.ts";

interface BuiltRequest extends Omit<FittedEntries, "entries"> {
  readonly request: ModelRequest;
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
  const { tools, mustAnswer } = options;
  const { actions, frame, room, maxOutputTokens } = sizesOf(state, options);
  const { entries, tokens, ...lost } = fitEntries(state.entries, room);
  const messages = entries.map(({ message }) => message);
  if (mustAnswer) messages.push({ role: "user", content: ANSWER_NOW });
  const { system = "" } = state.start ?? {};
  const view = viewOf(state, tools, mustAnswer);
  const request = { system, messages, actions, maxOutputTokens, view };
  return { request, tokens: tokens + frame, ...lost };
}

/** How many tokens the system prompt and actions take, and how many are left for messages. */
function sizesOf(state: RunState, { tools, model }: BuildOptions) {
  const { protocol, contextTokens: all, maxOutputTokens: most = MAX_OUTPUT_TOKENS } = model;
  const actions = actionDefinitions({ ...tools, protocol });
  const frame = frameTokens(state.start ?? NO_START, actions);
  const maxOutputTokens = Math.min(most, Math.floor(all / 4));
  return { actions, frame, maxOutputTokens, room: all - maxOutputTokens - frame };
}

/** Tokens of instructions that one more skill may bring. */
export function skillRoom(state: RunState, options: BuildOptions): number {
  const { room } = sizesOf(state, options);
  const left = room - contextTokens(state.entries);
  return Math.max(MIN_SKILL_TOKENS, Math.floor(Math.max(left, room / 2) * SKILL_SHARE));
}

const MIN_SKILL_TOKENS = 500;
const SKILL_SHARE = 0.8;
/** Trimmed to this share, the beginning of the conversation stays the same for many turns. */
const TRIM_TO = 0.7;
/** The last turn is never shortened: it is what the model works with. */
const KEPT = 2;

/** How many of the first messages have to be shortened; undefined when all fit. */
export function trimPoint(state: RunState, options: BuildOptions): number | undefined {
  const { room } = sizesOf(state, options);
  const { entries } = state;
  const before = contextTokens(entries);
  if (before <= room) return undefined;
  const last = entries.findLastIndex(({ kind }) => kind === "decision");
  const most = last === -1 ? entries.length - KEPT : last;
  let tokens = before;
  let point = 0;
  for (; point < most && tokens > room * TRIM_TO; point++) {
    const entry = entries[point] as ContextEntry;
    tokens += tokensOf(shortened(entry).message) - tokensOf(entry.message);
  }
  return tokens < before ? point : undefined;
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

/** Messages and lists of actions stay the same objects from turn to turn. */
const DIGESTS = new WeakMap<object, string>();

/** Digest of all that the model is sent. Only what is new in a turn is read again. */
export function requestDigest({ system, messages, actions }: ModelRequest): string {
  return contentDigest([systemDigest(system), digestOf(actions), ...messages.map(digestOf)].join());
}

/** Of the last prompt, which is that of the whole run and often of others. */
let lastSystem = { text: "", digest: contentDigest("") };

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
