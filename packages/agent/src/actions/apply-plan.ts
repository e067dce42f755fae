import { MAX_STEPS, type Plan, type PlanStep, type PlanUpdate } from "./plan.ts";

const NO_PLAN: Plan = { goal: "", steps: [], assumptions: [], constraints: {} };

type PlanChange = NonNullable<Extract<PlanUpdate, { patch: unknown }>["patch"]["update"]>[number];

export type PlanResult =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly problem: string };

/** The plan after an update. What names a step that is not there is a problem, and nothing changes. */
export function applyPlan(plan: Plan | undefined, update: PlanUpdate): PlanResult {
  if ("replace" in update) return checked(update.replace);
  const {
    goal,
    add = [],
    before,
    update: changes = [],
    remove = [],
    order,
    assumptions,
    constraints,
  } = update.patch;
  const { steps: old, ...rest } = plan ?? NO_PLAN;
  const known = new Set(old.map(({ id }) => id));
  const named = [
    ...changes.map(({ id }) => id),
    ...remove,
    ...(before === undefined ? [] : [before]),
  ];
  const added = new Set(add.map(({ id }) => id));
  const unknown = [
    ...named.filter((id) => !known.has(id)),
    ...(order ?? []).filter((id) => !known.has(id) && !added.has(id)),
  ];
  if (unknown.length > 0) {
    const has = known.size === 0 ? "has no steps" : `has the steps ${[...known].join(", ")}`;
    return { ok: false, problem: `the plan has no step ${unknown.join(", ")}; it ${has}` };
  }
  const all = old.map((step) =>
    changed(
      step,
      changes.find(({ id }) => id === step.id),
    ),
  );
  const at = before === undefined ? all.length : all.findIndex(({ id }) => id === before);
  const isKept = ({ id }: PlanStep) => !remove.includes(id);
  const steps = [...all.slice(0, at).filter(isKept), ...add, ...all.slice(at).filter(isKept)];
  return checked({
    ...rest,
    ...(goal !== undefined && { goal }),
    ...(assumptions && { assumptions }),
    steps: order === undefined ? steps : ordered(steps, order),
    constraints: { ...rest.constraints, ...tighter(rest.constraints, constraints) },
  });
}

function changed(step: PlanStep, change: PlanChange | undefined): PlanStep {
  const { title = step.title, status = step.status } = change ?? {};
  return { ...step, title, status };
}

function ordered(steps: readonly PlanStep[], order: readonly string[]): PlanStep[] {
  const place = ({ id }: PlanStep) => {
    const at = order.indexOf(id);
    return at === -1 ? order.length : at;
  };
  return [...steps].sort((a, b) => place(a) - place(b));
}

/** Only what is less than before. */
function tighter(old: Plan["constraints"], given: Plan["constraints"] = {}): Plan["constraints"] {
  const entries = Object.entries(given) as [keyof Plan["constraints"], number | undefined][];
  return Object.fromEntries(
    entries.filter(([key, value]) => value !== undefined && value < (old[key] ?? Infinity)),
  );
}

function checked(plan: Plan): PlanResult {
  const { length } = plan.steps;
  if (length > MAX_STEPS) {
    return { ok: false, problem: `the plan would have ${length} steps; at most ${MAX_STEPS} fit` };
  }
  const ids = plan.steps.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) return { ok: false, problem: `the plan has the step ${twice} twice` };
  return { ok: true, plan };
}
