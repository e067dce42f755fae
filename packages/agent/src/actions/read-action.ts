import { nearNames } from "@skillwright/core";
import type { z } from "zod";
import type { ModelCall } from "../models/model.ts";
import { type Action, actionInputs, actionSchema } from "./action.ts";
import { readJson } from "./read-json.ts";

export interface ReadOptions {
  /** Names of the tools there are. */
  readonly tools: readonly string[];
  readonly canRun: boolean;
  readonly mustAnswer: boolean;
}

export type ReadAction =
  | { readonly ok: true; readonly action: Action; readonly callId?: string }
  | { readonly ok: false; readonly problem: string; readonly callId?: string };

interface Said {
  readonly text: string;
  readonly calls: readonly ModelCall[];
}

const MAX_ISSUES = 3;
const MAX_ANSWER_LENGTH = 200_000;

/** Understands what a model said, or says exactly what is wrong with it. */
export function readAction({ text, calls }: Said, options: ReadOptions): ReadAction {
  const [call] = calls;
  if (call !== undefined) return { ...readCall(call, options), callId: call.id };
  const written = readJson(text);
  if (written !== undefined && Object.hasOwn(written, "action"))
    return readWritten(written, options);
  const answer = text.trim();
  // Text drives no tool, but it may well be the answer.
  if (answer !== "" && !looksLikeAction(answer)) {
    return {
      ok: true,
      action: { action: "final_answer", answer: answer.slice(0, MAX_ANSWER_LENGTH) },
    };
  }
  return { ok: false, problem: answer === "" ? EMPTY : NOT_AN_ACTION };
}

const EMPTY = "The answer was empty. Choose one action, or give the final answer.";
const NOT_AN_ACTION =
  'This is no action that can be read. Answer with one complete JSON object such as {"action": "final_answer", "answer": "…"}.';

/** Somebody tried to write JSON and did not succeed. */
function looksLikeAction(text: string): boolean {
  return /"action"\s*:/.test(text) || /^(?:```\w*\s*)?\{/.test(text);
}

function readCall({ name, input }: ModelCall, options: ReadOptions): ReadAction {
  const given = typeof input === "string" ? (input.trim() === "" ? {} : readJson(input)) : input;
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return { ok: false, problem: `The input of ${name} is no JSON object.` };
  }
  return readWritten({ ...given, action: name }, options);
}

function readWritten(written: Readonly<Record<string, unknown>>, options: ReadOptions): ReadAction {
  const { action: name, plan_update, ...input } = written;
  if (typeof name !== "string") return { ok: false, problem: "`action` has to be a name." };
  const isTool = !Object.hasOwn(actionInputs, name) && options.tools.includes(name);
  const value = isTool ? { action: "use_tool", tool: name, input, plan_update } : written;
  if (!isTool && !Object.hasOwn(actionInputs, name)) return unknownAction(name, options);
  const parsed = actionSchema.safeParse(value);
  if (!parsed.success) return { ok: false, problem: describeIssues(name, parsed.error) };
  return allowed(parsed.data, options);
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
      problem: `There is no tool ${quoted(action.tool)}.${suggestion(action.tool, tools)}`,
    };
  }
  return { ok: true, action };
}

function unknownAction(name: string, { tools }: ReadOptions): ReadAction {
  const names = [...Object.keys(actionInputs), ...tools];
  const known = Object.keys(actionInputs).join(", ");
  const problem = `There is no action ${quoted(name)}.${suggestion(name, names)} The actions are: ${known}.`;
  return { ok: false, problem };
}

function suggestion(name: string, names: readonly string[]): string {
  const near = nearNames(name.slice(0, 100), names, MAX_ISSUES);
  if (near.length > 0) return ` Did you mean ${near.join(" or ")}?`;
  return names.length > 0 && names.length <= 20 ? ` There are: ${names.join(", ")}.` : "";
}

function describeIssues(name: string, { issues }: z.ZodError): string {
  const shown = issues.slice(0, MAX_ISSUES).map(({ path, message }) => {
    const place = path.map(String).join(".");
    return place === "" ? message : `\`${place}\`: ${message}`;
  });
  return `${name} cannot be done like this: ${shown.join("; ")}.`;
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
