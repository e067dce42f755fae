import * as z from "zod";
import { MAX_GOAL } from "./first-plan.ts";

const status = z.enum(["pending", "in_progress", "completed"]);

const step = z.strictObject({
  id: z.string().min(1).max(40),
  title: z.string().min(1).max(300),
  status: status.default("pending"),
});

export const MAX_STEPS = 50;

/** Limits that the model sets itself. They can only tighten the budget. */
const constraints = z.strictObject({
  max_turns: z.int().min(1).optional(),
  max_tool_calls: z.int().min(0).optional(),
  max_scripts: z.int().min(0).optional(),
});

const planSchema = z.strictObject({
  goal: z.string().max(MAX_GOAL),
  steps: z.array(step).max(MAX_STEPS),
  assumptions: z.array(z.string().max(1000)).max(50).default([]),
  constraints: constraints.default({}),
});

const patchSchema = z.strictObject({
  goal: z.string().max(MAX_GOAL).optional(),
  add: z
    .array(step)
    .max(MAX_STEPS)
    .optional()
    .describe("Steps to put at the end, or before `before`."),
  before: z.string().optional().describe("Id of the step that `add` goes before."),
  update: z
    .array(step.partial({ title: true, status: true }))
    .max(50)
    .optional()
    .describe("Steps by id, with what changes."),
  remove: z.array(z.string()).max(50).optional().describe("Ids of steps that are not needed."),
  order: z.array(z.string()).max(50).optional().describe("Ids in their new order."),
  assumptions: z.array(z.string().max(1000)).max(50).optional().describe("All of them, anew."),
  constraints: constraints.optional(),
});

/** A whole new plan, or changes to the one there is. */
export const planUpdateSchema = z
  .union([z.strictObject({ replace: planSchema }), z.strictObject({ patch: patchSchema })])
  .describe("The new plan under `replace`, or changes under `patch`.");

export type Plan = z.infer<typeof planSchema>;
export type PlanStep = z.infer<typeof step>;
export type PlanUpdate = z.infer<typeof planUpdateSchema>;
