import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Plan } from "../index.ts";
import { DEFAULT_BUDGET } from "../internal/index.ts";
import { applyPlan, firstPlan, type PlanUpdate, readPlanUpdate } from "./index.ts";
import { NO_USAGE, tightened } from "../loop/index.ts";

const step = (id: string, status: Plan["steps"][number]["status"] = "pending") => ({
  id,
  title: `Step ${id}`,
  status,
});
const PLAN: Plan = {
  goal: "do it",
  steps: [step("a"), step("b"), step("c")],
  assumptions: ["it is there"],
  constraints: { max_turns: 8 },
};
const update = (given: unknown) => readPlanUpdate(given) as PlanUpdate;
const patched = (patch: object) => applyPlan(PLAN, update({ patch }));
const ids = ({ steps }: Plan) => steps.map(({ id }) => id).join("");

describe("applyPlan", () => {
  it("A-03 creates and replaces a plan", () => {
    const replace = { goal: "g", steps: [{ id: "1", title: "one" }] };
    const steps = [{ id: "1", title: "one", status: "pending" }];
    expect(applyPlan(undefined, update({ replace }))).toEqual({
      goal: "g",
      steps,
      assumptions: [],
      constraints: {},
    });
    // What a new plan does not name stays as it was.
    expect(applyPlan(PLAN, update({ steps: ["one"] }))).toEqual({ ...PLAN, steps });
  });

  it("A-03 patches steps: adds, changes and removes them", () => {
    expect(ids(patched({ add: [step("d")] }))).toBe("abcd");
    expect(ids(patched({ remove: ["a", "c"] }))).toBe("b");
    expect(ids(applyPlan(undefined, update({ patch: { add: [step("x")] } })))).toBe("x");
    const { steps } = patched({ update: [{ id: "b", status: "completed" }] });
    expect(steps).toEqual([step("a"), step("b", "completed"), step("c")]);
  });

  it("A-03 a patch leaves alone what it does not name", () => {
    const goal = { goal: "other", assumptions: ["new"] };
    expect(patched(goal)).toEqual({ ...PLAN, ...goal });
  });

  it("A-03 ids that the plan does not have, or has already, change nothing", () => {
    expect(patched({ update: [{ id: "z", status: "completed" }], remove: ["y"] })).toEqual(PLAN);
    expect(ids(patched({ add: [step("a")] }))).toBe("abc");
  });

  it("A-03 a plan cannot grow without end, nor its texts", () => {
    const many = Array.from({ length: 60 }, (_, i) => step(`n${i}`));
    expect(patched({ add: many }).steps).toHaveLength(50);
    const long = applyPlan(undefined, update({ goal: "g".repeat(9000), steps: ["t".repeat(900)] }));
    expect(long.goal).toHaveLength(2000);
    expect(long.steps[0]?.title).toHaveLength(300);
  });

  it("A-03 the first plan is the request as its only step", () => {
    const title = "Fill the form";
    expect(firstPlan(`${title}\nwith care`)).toEqual({
      goal: `${title}\nwith care`,
      steps: [{ id: "1", title, status: "in_progress" }],
      assumptions: [],
      constraints: {},
    });
    expect(firstPlan(" ").steps[0]?.title).not.toBe("");
  });

  it("A-03 never throws, and what it reads can be applied", () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 3, withNullPrototype: true }), (given) => {
        const read = readPlanUpdate(given);
        const plan = read === undefined ? PLAN : applyPlan(PLAN, read);
        expect(plan.steps.length).toBeLessThan(51);
      }),
    );
  });

  it("A-03 whatever a model plans, its budget never rises", () => {
    const limit = fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined });
    const constraints = fc.record({ max_turns: limit, max_tool_calls: limit, max_scripts: limit });
    const anUpdate = fc
      .tuple(constraints, fc.boolean())
      .map(([given, isPatch]) =>
        update(
          isPatch
            ? { patch: { goal: "g", constraints: given } }
            : { replace: { steps: ["s"], constraints: given } },
        ),
      );
    fc.assert(
      fc.property(fc.array(anUpdate, { maxLength: 8 }), (updates) => {
        let plan: Plan | undefined;
        let budget = DEFAULT_BUDGET;
        for (const one of updates) {
          plan = applyPlan(plan, one);
          const next = tightened(budget, plan, NO_USAGE);
          for (const key of [
            "turns",
            "toolCalls",
            "scripts",
            "tokens",
            "cost",
            "timeMs",
          ] as const) {
            expect(next[key]).toBeLessThanOrEqual(budget[key]);
          }
          budget = next;
        }
      }),
    );
  });

  it("A-03 constraints of a patch only tighten those there are", () => {
    expect(patched({ constraints: { max_turns: 99, max_scripts: "1" } })).toMatchObject({
      constraints: { max_turns: 8, max_scripts: 1 },
    });
  });
});
