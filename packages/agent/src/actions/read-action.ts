import { nearNames } from "@skillwright/core";
import { truncate } from "@skillwright/core/internal";
import type { ModelCall, ModelProtocol, ModelResponse } from "../models/model.ts";
import { type Action, actionInputs, actionSchema } from "./action.ts";
import { describeIssues } from "./describe-issues.ts";
import { describeMiswritten } from "./describe-miswritten.ts";
import { findJson, readJson, withoutThoughts } from "./read-json.ts";

export interface ReadOptions {
  /** Names of the tools there are. */
  readonly tools: readonly string[];
  readonly canRun: boolean;
  readonly mustAnswer: boolean;
  /** How the model decides: of one that makes calls, prose is prose, whatever it quotes. */
  readonly protocol: ModelProtocol;
}

export type ReadAction =
  | { readonly ok: true; readonly action: Action; readonly callId?: string }
  | { readonly ok: false; readonly problem: string; readonly callId?: string };

/** What a model said, and why it stopped. */
export interface Said {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly finish?: Extract<ModelResponse, { ok: true }>["finish"];
}

const MAX_ISSUES = 3;
const MAX_QUOTED = 80;
const MAX_ANSWER_LENGTH = 200_000;

/** Understands what a model said, or says exactly what is wrong with it. */
export function readAction({ text, calls, finish }: Said, options: ReadOptions): ReadAction {
  const [call] = calls;
  // Reject truncated output.
  const cut = finish === "length" ? CUT_OFF : finish === "refused" ? REFUSED : undefined;
  if (call !== undefined) {
    const isCut = cut !== undefined && calls.length === 1 && isUnfinished(call);
    return { ...(isCut ? { ok: false, problem: cut } : readCall(call, options)), callId: call.id };
  }
  const said = withoutThoughts(text).trim();
  const isProse = options.protocol === "tools" && !BARE_OBJECT.test(said);
  const { decisions, isClear } = isProse ? NO_DECISION : findDecisions(said);
  const [decision] = decisions;
  if (decision !== undefined) {
    return isClear ? readWritten(decision, options) : { ok: false, problem: SEVERAL };
  }
  if (cut !== undefined) return { ok: false, problem: cut };
  if (said === "") return { ok: false, problem: EMPTY };
  const miswritten = describeMiswritten(said, options);
  if (miswritten !== undefined) return { ok: false, problem: miswritten };
  // Text drives no tool, but it may well be the answer.
  const answer = said.slice(0, MAX_ANSWER_LENGTH);
  return { ok: true, action: { action: "final_answer", answer } };
}

/** Nothing of its input came, or not all of it. */
function isUnfinished({ input }: ModelCall): boolean {
  return typeof input === "string" || Object.keys(input ?? {}).length === 0;
}

const EMPTY = "The answer was empty. Choose one action, or give the final answer.";
const SEVERAL =
  "This has more than one action, and none was done. Answer with one action only, and quote no other.";
const CUT_OFF = "The answer was cut off because it was too long. Give a shorter one, as a whole.";
const REFUSED =
  "The service withheld this answer, or a part of it. Do it in another way, or answer that it cannot be done.";

interface Decisions {
  /** Each once. */
  readonly decisions: readonly Readonly<Record<string, unknown>>[];
  /** There is nothing else that may have been meant. */
  readonly isClear: boolean;
}

const NO_DECISION: Decisions = { decisions: [], isClear: true };

function findDecisions(text: string): Decisions {
  const { objects, broken } = findJson(text);
  const decisions = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { value, start, end } of objects) {
    if (!Object.hasOwn(value, "action") || isThought(text, start, end)) continue;
    decisions.set(JSON.stringify(value), value);
  }
  const isClear = decisions.size === 1 && !broken.some((part) => ACTION_KEY.test(part));
  return { decisions: [...decisions.values()], isClear };
}

const THOUGHT_TAG = /<(\/?)think(?:ing)?>/gi;

/** Behind a tag that opens thoughts, or before one that closes them. */
function isThought(text: string, start: number, end: number): boolean {
  const before = [...text.slice(0, start).matchAll(THOUGHT_TAG)].at(-1);
  const [after] = text.slice(end).matchAll(THOUGHT_TAG);
  return before?.[1] === "" || after?.[1] === "/";
}

const BARE_OBJECT = /^(?:```\w*\s*)?\{[^]*\}\s*(?:```)?$/;
const ACTION_KEY = /(["']?)\baction\1\s*:/;

function readCall({ name, input }: ModelCall, options: ReadOptions): ReadAction {
  const given = typeof input === "string" ? (input.trim() === "" ? {} : readJson(input)) : input;
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return { ok: false, problem: `The input of ${name} is no JSON object.` };
  }
  if (isTool(name, options)) return readToolCall(name, given, options);
  return readWritten({ ...given, action: name }, options);
}

/** A tool may have an input of its own that is called `action`. */
function readToolCall(tool: string, given: object, options: ReadOptions): ReadAction {
  const { plan_update, ...input } = given as Readonly<Record<string, unknown>>;
  return readWritten({ action: "use_tool", tool, input, plan_update }, options);
}

function readWritten(written: Readonly<Record<string, unknown>>, options: ReadOptions): ReadAction {
  const { action: name, plan_update, ...input } = written;
  if (typeof name !== "string") return { ok: false, problem: "`action` has to be a name." };
  if (isTool(name, options)) return readToolCall(name, { ...input, plan_update }, options);
  if (!Object.hasOwn(actionInputs, name)) return unknownAction(name, options);
  const parsed = actionSchema.safeParse(withoutNulls(written));
  if (!parsed.success) return { ok: false, problem: describeIssues(name, parsed.error) };
  return allowed(parsed.data, options);
}

function isTool(name: string, { tools }: ReadOptions): boolean {
  return !Object.hasOwn(actionInputs, name) && tools.includes(name);
}

/** Models that have to give every property give null for those they do not mean. */
function withoutNulls(written: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = Object.entries(written).filter(([, value]) => value !== null);
  return Object.fromEntries(
    given.map(([key, value]) => {
      if (key === "skill") return [key, withoutNullSource(value)];
      return [key, key === "skills" && Array.isArray(value) ? value.map(withoutNullSource) : value];
    }),
  );
}

function withoutNullSource(skill: unknown): unknown {
  if (typeof skill !== "object" || skill === null || !("source" in skill)) return skill;
  const { source, ...rest } = skill;
  return source === null ? rest : skill;
}

function allowed(action: Action, { tools, canRun, mustAnswer }: ReadOptions): ReadAction {
  if (mustAnswer && action.action !== "final_answer") {
    return {
      ok: false,
      problem: "The budget is nearly used up: only final_answer is accepted now.",
    };
  }
  if (action.action === "run_script" && !canRun) {
    return { ok: false, problem: "Scripts cannot be run here. Use what else there is, or answer." };
  }
  if (action.action === "use_tool" && !tools.includes(action.tool)) {
    return {
      ok: false,
      problem: `There is no tool ${JSON.stringify(truncate(action.tool, MAX_QUOTED))}.${suggestion(action.tool, tools)}`,
    };
  }
  return { ok: true, action };
}

function unknownAction(name: string, { tools }: ReadOptions): ReadAction {
  const names = [...Object.keys(actionInputs), ...tools];
  const known = Object.keys(actionInputs).join(", ");
  const problem = `There is no action ${JSON.stringify(truncate(name, MAX_QUOTED))}.${suggestion(name, names)} The actions are: ${known}.`;
  return { ok: false, problem };
}

function suggestion(name: string, names: readonly string[]): string {
  const near = nearNames(name.slice(0, 100), names, MAX_ISSUES);
  if (near.length > 0) return ` Did you mean ${near.join(" or ")}?`;
  return names.length > 0 && names.length <= 20 ? ` There are: ${names.join(", ")}.` : "";
}
