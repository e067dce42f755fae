import { isRecord } from "./read-json.ts";

export interface Plan {
  readonly goal: string;
  readonly steps: readonly PlanStep[];
  readonly assumptions: readonly string[];
  /** Limits that the model sets itself. They only tighten the budget. */
  readonly constraints: PlanConstraints;
}

interface PlanStep {
  readonly id: string;
  readonly title: string;
  readonly status: "pending" | "in_progress" | "completed";
}

interface PlanConstraints {
  readonly max_turns?: number;
  readonly max_tool_calls?: number;
  readonly max_scripts?: number;
}

/** A new plan, or changes to the current one. Missing fields keep their value. */
export type PlanUpdate =
  | { readonly replace: Partial<Plan> & Pick<Plan, "steps"> }
  | { readonly patch: PlanPatch };

interface PlanPatch extends Partial<Omit<Plan, "steps">> {
  readonly add?: readonly PlanStep[];
  readonly update?: readonly (Pick<PlanStep, "id"> & Partial<PlanStep>)[];
  readonly remove?: readonly string[];
}

type Given = Readonly<Record<string, unknown>>;

const MAX_GOAL = 2000;
const MAX_STEPS = 50;
const MAX_TITLE = 300;
const MAX_NOTE = 1000;
const MAX_ID = 40;

/** The plan before the model gives one: the request as its only step. */
export function firstPlan(request: string): Plan {
  const title = request.trim().split("\n", 1)[0]?.slice(0, MAX_TITLE) || "Answer the request";
  const steps = [{ id: "1", title, status: "in_progress" as const }];
  return { goal: request.slice(0, MAX_GOAL), steps, assumptions: [], constraints: {} };
}

/**
 * Reads a plan in any form that models write: `{ steps, goal }`, `{ replace }`, `{ patch }`, a list of
 * steps, steps as text. Undefined when there is nothing to read.
 */
export function readPlanUpdate(given: unknown): PlanUpdate | undefined {
  if (typeof given === "string") return readText(given);
  if (Array.isArray(given)) return readPlanUpdate({ steps: given });
  if (!isRecord(given)) return undefined;
  const { plan_update, plan, patch, replace } = given;
  if (isRecord(plan_update)) return readPlanUpdate(plan_update);
  if (plan && !("steps" in given)) return readPlanUpdate(plan);
  if (isRecord(patch)) return readPatch(patch);
  if (replace !== undefined) return readPlanUpdate(replace);
  const steps = LISTS.some((field) => field in given) ? [] : stepsOf(given["steps"]);
  return steps.length > 0 ? { replace: { ...headOf(given), steps } } : readPatch(given);
}

function readText(text: string): PlanUpdate | undefined {
  try {
    return readPlanUpdate(JSON.parse(text) as object);
  } catch {
    return readPlanUpdate({ steps: text });
  }
}

/** The lists of a patch. */
const LISTS = ["add", "update", "remove"] as const;

function readPatch(given: Given): PlanUpdate | undefined {
  const lists = {
    add: stepsOf(given["add"]),
    update: listOf(given["update"]).flatMap(changeOf),
    remove: listOf(given["remove"]).flatMap((id) => idOf(id) ?? []),
  };
  const used = LISTS.filter((field) => lists[field].length > 0);
  const changes = Object.fromEntries(used.map((field) => [field, lists[field]]));
  const patch: PlanPatch = { ...headOf(given), ...changes };
  return Object.keys(patch).length === 0 ? undefined : { patch };
}

function changeOf(step: unknown): NonNullable<PlanPatch["update"]> {
  const id = isRecord(step) ? idOf(step["id"]) : undefined;
  if (!isRecord(step) || id === undefined) return [];
  const title = textOf(step["title"], MAX_TITLE);
  const status = step["status"] === undefined ? undefined : statusOf(step["status"]);
  return [{ id, ...(title && { title }), ...(status && { status }) }];
}

/** Goal, assumptions and constraints. */
function headOf(given: Given): Partial<Omit<Plan, "steps">> {
  const goal = textOf(given["goal"], MAX_GOAL);
  const assumptions = listOf(given["assumptions"]).flatMap((one) => textOf(one, MAX_NOTE) ?? []);
  const constraints = isRecord(given["constraints"]) ? given["constraints"] : {};
  const limits = ["max_turns", "max_tool_calls", "max_scripts"].flatMap((name) => {
    const limit = Number(constraints[name] ?? Number.NaN);
    return Number.isInteger(limit) && limit >= 0 ? [[name, limit] as const] : [];
  });
  return {
    ...(goal && { goal }),
    ...(assumptions.length > 0 && { assumptions: assumptions.slice(0, MAX_STEPS) }),
    ...(limits.length > 0 && { constraints: Object.fromEntries(limits) }),
  };
}

const LIST_MARK = /^\s*(?:[-*]|\d+[.)])\s*/;
const TITLES = ["title", "step", "description", "content", "text", "name", "task"];

/** Gives each step a different id; models leave ids out, use numbers, or repeat one. */
function stepsOf(given: unknown): PlanStep[] {
  const steps = new Map<string, PlanStep>();
  const lines = typeof given === "string" ? given.split("\n") : undefined;
  const list = lines?.map((line) => line.replace(LIST_MARK, "")) ?? listOf(given);
  for (const one of list.slice(0, MAX_STEPS)) {
    const step: Given = isRecord(one) ? one : { title: one };
    const title = TITLES.map((name) => textOf(step[name], MAX_TITLE)).find((text) => text);
    if (title === undefined) continue;
    let id = idOf(step["id"]);
    for (let n = steps.size + 1; id === undefined || steps.has(id); n++) id = String(n);
    steps.set(id, { id, title, status: statusOf(step["status"] ?? step["state"]) });
  }
  return [...steps.values()];
}

function statusOf(given: unknown): PlanStep["status"] {
  if (given === true) return "completed";
  const word = typeof given === "string" ? given.toLowerCase().replaceAll(/[\s_-]/g, "") : "";
  if (/^(?:completed?|done|finished|ok|success)$/.test(word)) return "completed";
  const isDoing = /^(?:inprogress|doing|active|started|current|running)$/.test(word);
  return isDoing ? "in_progress" : "pending";
}

function idOf(given: unknown): string | undefined {
  return typeof given === "number" ? String(given) : textOf(given, MAX_ID);
}

function textOf(given: unknown, most: number): string | undefined {
  return typeof given === "string" ? given.trim().slice(0, most) || undefined : undefined;
}

function listOf(given: unknown): readonly unknown[] {
  if (given === undefined || given === null) return [];
  return Array.isArray(given) ? given : [given];
}

const NO_PLAN: Plan = { goal: "", steps: [], assumptions: [], constraints: {} };

/** Pure: the plan after an update. Ignores ids of steps that the plan does not have. */
export function applyPlan(plan: Plan = NO_PLAN, change: PlanUpdate): Plan {
  const { goal, assumptions, constraints = {} } = "patch" in change ? change.patch : change.replace;
  const tighter = Object.entries(constraints).filter(
    ([name, limit]) => limit < (plan.constraints[name as keyof PlanConstraints] ?? Infinity),
  );
  return {
    goal: goal ?? plan.goal,
    steps: "patch" in change ? patchedSteps(plan.steps, change.patch) : change.replace.steps,
    assumptions: assumptions ?? plan.assumptions,
    constraints: { ...plan.constraints, ...Object.fromEntries(tighter) },
  };
}

function patchedSteps(steps: readonly PlanStep[], patch: PlanPatch): readonly PlanStep[] {
  const { add = [], update = [], remove = [] } = patch;
  const kept = steps
    .map((step) => ({ ...step, ...update.find(({ id }) => id === step.id) }))
    .filter(({ id }) => !remove.includes(id));
  const added = add.filter(({ id }) => !kept.some((one) => one.id === id));
  return [...kept, ...added].slice(0, MAX_STEPS);
}
