import { knownTokens } from "@skillwright/core";
import { actionDefinitions } from "../actions/action-definitions.ts";
import type { AgentTools } from "../acts/world.ts";
import type { RunState } from "../loop/run-state.ts";
import type { ModelRequest, ModelView } from "../models/model.ts";
import { fitEntries } from "./fit-entries.ts";

export interface BuiltRequest {
  readonly request: ModelRequest;
  readonly tokens: number;
  /** Messages that were left out or cut for want of room. */
  readonly dropped: number;
  /** Ids of the skills among them. */
  readonly droppedSkills: readonly string[];
}

interface BuildOptions {
  readonly tools: AgentTools;
  readonly contextTokens: number;
  readonly mustAnswer: boolean;
}

const MAX_OUTPUT_TOKENS = 8_000;
const ANSWER_NOW = "The budget is nearly used up: give your final answer now, with what you have.";

/** Pure: what the model is sent in this turn. */
export function buildRequest(state: RunState, options: BuildOptions): BuiltRequest {
  const { tools, contextTokens, mustAnswer } = options;
  const system = state.start?.system ?? "";
  const actions = actionDefinitions({ tools: tools.tools, canRun: tools.canRun, mustAnswer });
  const maxOutputTokens = Math.min(MAX_OUTPUT_TOKENS, Math.floor(contextTokens / 4));
  const frame = frameTokens(state.start ?? NO_START, actions);
  const room = contextTokens - maxOutputTokens - frame;
  const { entries, tokens, dropped, droppedSkills } = fitEntries(state.entries, room);
  const messages = entries.map(({ message }) => message);
  if (mustAnswer) messages.push({ role: "user", content: ANSWER_NOW });
  const view = viewOf(state, tools, mustAnswer);
  return {
    request: { system, messages, actions, maxOutputTokens, view },
    tokens: tokens + frame,
    dropped,
    droppedSkills,
  };
}

const NO_START = { system: "" };
const FRAMES = new WeakMap<object, WeakMap<object, number>>();

/** The same in every turn of a run. */
function frameTokens(start: { readonly system: string }, actions: object): number {
  const known = FRAMES.get(start) ?? new WeakMap<object, number>();
  FRAMES.set(start, known);
  const tokens =
    known.get(actions) ?? knownTokens(start.system) + knownTokens(JSON.stringify(actions));
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
