import { estimateTokens } from "@skillwright/core";
import { actionDefinitions } from "../actions/action-definitions.ts";
import type { ModelMessage, ModelRequest, ModelView } from "../models/model.ts";
import type { AgentTools } from "../acts/world.ts";
import type { ContextEntry, RunState } from "../loop/run-state.ts";

export interface BuiltRequest {
  readonly request: ModelRequest;
  readonly tokens: number;
  /** Observations that were left out for want of room. */
  readonly dropped: number;
}

interface BuildOptions {
  readonly tools: AgentTools;
  readonly contextTokens: number;
  readonly mustAnswer: boolean;
}

const MAX_OUTPUT_TOKENS = 8_000;
const DROPPED = "[This result was dropped to make room; the record of the run has it.]";
const ANSWER_NOW = "The budget is nearly used up: give your final answer now, with what you have.";

/** Pure: what the model is sent in this turn. */
export function buildRequest(state: RunState, options: BuildOptions): BuiltRequest {
  const { tools, contextTokens, mustAnswer } = options;
  const system = state.start?.system ?? "";
  const actions = actionDefinitions({ tools: tools.tools, canRun: tools.canRun, mustAnswer });
  const maxOutputTokens = Math.min(MAX_OUTPUT_TOKENS, Math.floor(contextTokens / 4));
  const frame = estimateTokens(system) + estimateTokens(JSON.stringify(actions));
  const room = contextTokens - maxOutputTokens - frame;
  const { entries, tokens, dropped } = fitEntries(state.entries, room);
  const messages = entries.map(({ message }) => message);
  if (mustAnswer) messages.push({ role: "user", content: ANSWER_NOW });
  const view = viewOf(state, tools, mustAnswer);
  return {
    request: { system, messages, actions, maxOutputTokens, view },
    tokens: tokens + frame,
    dropped,
  };
}

/** Drops the oldest observations first, then the oldest skills; what was asked and decided stays. */
function fitEntries(entries: readonly ContextEntry[], room: number) {
  const sizes = entries.map(({ message }) => tokensOf(message));
  let tokens = sizes.reduce((sum, size) => sum + size, 0);
  if (tokens <= room) return { entries, tokens, dropped: 0 };
  const fitted = [...entries];
  const short = estimateTokens(DROPPED);
  let dropped = 0;
  for (const kind of ["observation", "skill"] as const) {
    // The last one is what the model has to react to.
    for (let i = 0; i < fitted.length - 1 && tokens > room; i++) {
      const entry = fitted[i];
      const size = sizes[i] ?? 0;
      if (entry?.kind !== kind || size <= short) continue;
      fitted[i] = { ...entry, message: { ...entry.message, content: DROPPED } };
      tokens -= size - short;
      dropped++;
    }
  }
  return { entries: fitted, tokens, dropped };
}

const SIZES = new WeakMap<ModelMessage, number>();

function tokensOf(message: ModelMessage): number {
  const known = SIZES.get(message);
  if (known !== undefined) return known;
  const calls = message.role === "assistant" && message.calls ? JSON.stringify(message.calls) : "";
  const size = estimateTokens(message.content) + estimateTokens(calls) + 4;
  SIZES.set(message, size);
  return size;
}

function viewOf(state: RunState, tools: AgentTools, mustAnswer: boolean): ModelView {
  const { start, active, steps } = state;
  return {
    request: start?.normalizedRequest ?? "",
    skills: start?.catalog.skills ?? [],
    omittedSkills: start?.catalog.omitted ?? 0,
    active: active.map(({ name, source, text, files }) => ({
      name,
      source,
      text,
      files,
      scripts: tools.canRun ? files.filter((path) => tools.isScript(path)) : [],
    })),
    steps,
    tools: tools.tools.map(({ name }) => name),
    mustAnswer,
  };
}
