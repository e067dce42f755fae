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
  readonly status: PlanStatus;
}

type PlanStatus = "pending" | "in_progress" | "completed";

interface PlanConstraints {
  readonly max_turns?: number;
  readonly max_tool_calls?: number;
  readonly max_scripts?: number;
}

/** A whole new plan, or changes to the one there is. */
export type PlanUpdate = { readonly replace: PlanDraft } | { readonly patch: PlanPatch };

/** Parts that are missing keep what the plan had. */
interface PlanDraft {
  readonly goal?: string;
  readonly steps: readonly PlanStep[];
  readonly assumptions?: readonly string[];
  readonly constraints?: PlanConstraints;
}

interface PlanPatch extends Partial<PlanDraft> {
  readonly add?: readonly PlanStep[];
  /** Id of the step that `add` goes before. */
  readonly before?: string;
  readonly update?: readonly (Pick<PlanStep, "id"> & Partial<PlanStep>)[];
  readonly remove?: readonly string[];
  readonly order?: readonly string[];
}

const MAX_GOAL = 2000;
const MAX_STEPS = 50;
const MAX_TITLE = 300;
const MAX_NOTE = 1000;

/** The plan before the model gives one: the request as its only step. */
export function firstPlan(request: string): Plan {
  const title = request.trim().split("\n", 1)[0]?.slice(0, MAX_TITLE) || "Answer the request";
  const steps = [{ id: "1", title, status: "in_progress" as const }];
  return { goal: request.slice(0, MAX_GOAL), steps, assumptions: [], constraints: {} };
}

/**
 * Reads a plan in any form that models write: `{ steps, goal }`, `{ replace }`, `{ patch }`, a bare list of
 * steps, steps as text. Undefined when there is nothing to read.
 */
export function readPlanUpdate(given: unknown): PlanUpdate | undefined {
  if (Array.isArray(given)) return replaceBy({ steps: given });
  if (typeof given === "string") return readText(given);
  if (!isRecord(given)) return undefined;
  if (isRecord(given["plan_update"])) return readPlanUpdate(given["plan_update"]);
  if (given["plan"] && !("steps" in given)) return readPlanUpdate(given["plan"]);
  if (isRecord(given["patch"])) return readPatch(given["patch"]);
  if (given["replace"] !== undefined) {
    const whole = given["replace"];
    return replaceBy(Array.isArray(whole) ? { steps: whole } : isRecord(whole) ? whole : {});
  }
  const isPatch = ["add", "update", "remove", "order"].some((key) => key in given);
  return isPatch ? readPatch(given) : replaceBy(given);
}

function readText(given: string): PlanUpdate | undefined {
  try {
    return readPlanUpdate(JSON.parse(given) as object);
  } catch {
    return replaceBy({ steps: given });
  }
}

/** Without the marks of a list. */
function linesOf(text: string): readonly string[] {
  return text.split("\n").map((line) => line.replace(/^\s*(?:[-*]|\d+[.)])\s*/, "").trim());
}

function replaceBy(given: Readonly<Record<string, unknown>>): PlanUpdate | undefined {
  const steps = readSteps(given["steps"]);
  const rest = readRest(given);
  if (steps.length === 0) return Object.keys(rest).length === 0 ? undefined : { patch: rest };
  return { replace: { ...rest, steps } };
}

function readPatch(given: Readonly<Record<string, unknown>>): PlanUpdate | undefined {
  const add = readSteps(given["add"]);
  const update = listOf(given["update"])
    .filter(isRecord)
    .flatMap((step) => {
      const id = idOf(step["id"]);
      if (id === undefined) return [];
      const title = textOf(step["title"], MAX_TITLE);
      const status = step["status"] === undefined ? undefined : statusOf(step["status"]);
      return [{ id, ...(title && { title }), ...(status && { status }) }];
    });
  const ids = (value: unknown) => listOf(value).flatMap((id) => idOf(id) ?? []);
  const patch: PlanPatch = {
    ...readRest(given),
    ...(add.length > 0 && { add }),
    ...(typeof given["before"] === "string" && { before: given["before"] }),
    ...(update.length > 0 && { update }),
    ...(ids(given["remove"]).length > 0 && { remove: ids(given["remove"]) }),
    ...(ids(given["order"]).length > 0 && { order: ids(given["order"]) }),
  };
  return Object.keys(patch).length === 0 ? undefined : { patch };
}

function readRest(given: Readonly<Record<string, unknown>>): Omit<PlanPatch, "steps"> {
  const goal = textOf(given["goal"], MAX_GOAL);
  const assumptions = listOf(given["assumptions"]).flatMap((one) => textOf(one, MAX_NOTE) ?? []);
  const constraints = isRecord(given["constraints"]) ? given["constraints"] : {};
  const limits = (["max_turns", "max_tool_calls", "max_scripts"] as const).flatMap((key) => {
    const limit = Number(constraints[key]);
    return constraints[key] !== undefined && Number.isInteger(limit) && limit >= 0
      ? [[key, limit] as const]
      : [];
  });
  return {
    ...(goal && { goal }),
    ...(assumptions.length > 0 && { assumptions: assumptions.slice(0, MAX_STEPS) }),
    ...(limits.length > 0 && { constraints: Object.fromEntries(limits) }),
  };
}

/** Each has an id of its own; models leave them out, give numbers, or give one twice. */
function readSteps(given: unknown): PlanStep[] {
  const steps: PlanStep[] = [];
  const list = typeof given === "string" ? linesOf(given) : listOf(given);
  for (const step of list.slice(0, MAX_STEPS)) {
    const { id, title, status } = isRecord(step) ? readStep(step) : readStep({ title: step });
    if (title === undefined) continue;
    const isNew = id !== undefined && !steps.some((one) => one.id === id);
    let number = steps.length + 1;
    while (steps.some((one) => one.id === String(number))) number++;
    steps.push({ id: isNew ? id : String(number), title, status });
  }
  return steps;
}

function readStep(step: Readonly<Record<string, unknown>>) {
  const title = ["title", "step", "description", "content", "text", "name", "task"]
    .map((key) => textOf(step[key], MAX_TITLE))
    .find((one) => one !== undefined);
  return { id: idOf(step["id"]), title, status: statusOf(step["status"] ?? step["state"]) };
}

function statusOf(given: unknown): PlanStatus {
  if (given === true) return "completed";
  const word = typeof given === "string" ? given.toLowerCase().replaceAll(/[\s_-]/g, "") : "";
  if (/^(?:completed?|done|finished|ok|success)$/.test(word)) return "completed";
  return /^(?:inprogress|doing|active|started|current|running)$/.test(word)
    ? "in_progress"
    : "pending";
}

function idOf(given: unknown): string | undefined {
  return typeof given === "number" || typeof given === "string"
    ? textOf(String(given), 40)
    : undefined;
}

function textOf(given: unknown, most: number): string | undefined {
  const text = typeof given === "string" ? given.trim().slice(0, most) : "";
  return text === "" ? undefined : text;
}

function listOf(given: unknown): readonly unknown[] {
  if (given === undefined || given === null) return [];
  return Array.isArray(given) ? given : [given];
}

const NO_PLAN: Plan = { goal: "", steps: [], assumptions: [], constraints: {} };

/** Pure: the plan after an update. Ids that it does not have are ignored. */
export function applyPlan(plan: Plan = NO_PLAN, change: PlanUpdate): Plan {
  if ("replace" in change) {
    const { steps, ...rest } = change.replace;
    return { ...merged(plan, rest), steps };
  }
  const {
    add = [],
    before,
    update = [],
    remove = [],
    order = [],
    steps: _,
    ...rest
  } = change.patch;
  const changed = plan.steps
    .map((step) => ({ ...step, ...update.find(({ id }) => id === step.id) }))
    .filter(({ id }) => !remove.includes(id));
  const added = add.filter(({ id }) => !changed.some((one) => one.id === id));
  const place = changed.findIndex(({ id }) => id === before);
  const at = place === -1 ? changed.length : place;
  const steps = [...changed.slice(0, at), ...added, ...changed.slice(at)].slice(0, MAX_STEPS);
  const rank = ({ id }: PlanStep) => (order.includes(id) ? order.indexOf(id) : order.length);
  const sorted = order.length === 0 ? steps : steps.toSorted((a, b) => rank(a) - rank(b));
  return { ...merged(plan, rest), steps: sorted };
}

function merged(plan: Plan, { goal, assumptions, constraints = {} }: Partial<PlanDraft>): Plan {
  const tighter = Object.entries(constraints).filter(
    ([key, limit]) => limit < (plan.constraints[key as keyof PlanConstraints] ?? Infinity),
  );
  return {
    ...plan,
    ...(goal !== undefined && { goal }),
    ...(assumptions && { assumptions }),
    constraints: { ...plan.constraints, ...Object.fromEntries(tighter) },
  };
}
