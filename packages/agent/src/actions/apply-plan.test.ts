import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_BUDGET, tightened } from "../budget/budget.ts";
import { NO_USAGE } from "../budget/run-usage.ts";
import { applyPlan } from "./apply-plan.ts";
import { MAX_STEPS, type Plan, planUpdateSchema } from "./plan.ts";

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
const first = (patch: object) => applyPlan(undefined, planUpdateSchema.parse({ patch }));
const patched = (patch: object) => applyPlan(PLAN, planUpdateSchema.parse({ patch }));
const ids = (result: ReturnType<typeof patched>) =>
  result.ok ? result.plan.steps.map(({ id }) => id).join("") : result.problem;

describe("applyPlan", () => {
  it("A-03 creates and replaces a plan", () => {
    const replace = { goal: "g", steps: [{ id: "1", title: "one" }] };
    expect(applyPlan(undefined, planUpdateSchema.parse({ replace }))).toEqual({
      ok: true,
      plan: {
        goal: "g",
        steps: [{ id: "1", title: "one", status: "pending" }],
        assumptions: [],
        constraints: {},
      },
    });
  });

  it("A-03 patches steps: adds, changes, removes and orders them", () => {
    expect(ids(patched({ add: [step("d")] }))).toBe("abcd");
    expect(ids(patched({ add: [step("d")], before: "b" }))).toBe("adbc");
    expect(ids(patched({ add: [step("d")], before: "b", remove: ["b"] }))).toBe("adc");
    expect(ids(patched({ remove: ["a", "c"] }))).toBe("b");
    expect(ids(patched({ order: ["c", "a"] }))).toBe("cab");
    expect(ids(first({ add: [step("x")] }))).toBe("x");
    expect(patched({ update: [{ id: "b", status: "completed" }] })).toMatchObject({
      plan: { steps: [step("a"), step("b", "completed"), step("c")] },
    });
  });

  it("A-03 a patch leaves alone what it does not name", () => {
    const result = patched({ goal: "other", assumptions: ["new"] });
    expect(result).toEqual({ ok: true, plan: { ...PLAN, goal: "other", assumptions: ["new"] } });
  });

  it("A-03 a step that is not there, or twice, is a problem and changes nothing", () => {
    expect(ids(patched({ update: [{ id: "z", status: "completed" }] }))).toBe(
      "the plan has no step z; it has the steps a, b, c",
    );
    expect(ids(patched({ order: ["q"] }))).toContain("no step q");
    expect(ids(first({ remove: ["z"] }))).toContain("it has no steps");
    expect(ids(patched({ add: [step("a")] }))).toBe("the plan has the step a twice");
  });

  it("A-03 a plan cannot grow without end", () => {
    const many = Array.from({ length: MAX_STEPS }, (_, i) => step(`n${i}`));
    expect(ids(patched({ add: many }))).toBe("the plan would have 53 steps; at most 50 fit");
  });

  it("A-03 whatever a model plans, its budget never rises", () => {
    const limit = fc.option(fc.integer({ min: 1, max: 1000 }), { nil: undefined });
    const constraints = fc.record({ max_turns: limit, max_tool_calls: limit, max_scripts: limit });
    const update = fc
      .tuple(constraints, fc.boolean())
      .map(([given, isPatch]) =>
        planUpdateSchema.parse(
          isPatch
            ? { patch: { constraints: given } }
            : { replace: { goal: "", steps: [], constraints: given } },
        ),
      );
    fc.assert(
      fc.property(fc.array(update, { maxLength: 8 }), (updates) => {
        let plan: Plan | undefined;
        let budget = DEFAULT_BUDGET;
        for (const one of updates) {
          const result = applyPlan(plan, one);
          if (!result.ok) throw new Error(result.problem);
          ({ plan } = result);
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
    expect(patched({ constraints: { max_turns: 99, max_scripts: 1 } })).toMatchObject({
      plan: { constraints: { max_turns: 8, max_scripts: 1 } },
    });
  });
});
