import * as z from "zod";
import { planUpdateSchema } from "./plan.ts";

const skillReference = z.strictObject({
  name: z.string().min(1).max(200).describe("Name of the skill, as in the catalog."),
  source: z.string().max(200).optional().describe("Which one, when several have the name."),
});

/**
 * What each action takes beside `plan_update`. The names are those of the founding document. A field
 * that is not here is refused: the action without it is not what was decided.
 */
export const actionInputs = {
  select_skills: z.strictObject({
    skills: z
      .array(skillReference)
      .min(1)
      .max(20)
      .describe("The skills whose instructions are needed."),
    reason: z.string().optional().describe("Why these, in a sentence."),
  }),
  load_resource: z.strictObject({
    skill: skillReference,
    relative_path: z
      .string()
      .min(1)
      .max(1000)
      .describe("A file of the skill, such as references/FORMS.md."),
    section_hint: z.string().optional().describe("Only the section under this heading."),
    start_line: z.int().min(1).optional().describe("First line to read."),
    end_line: z.int().min(1).optional().describe("Last line to read."),
  }),
  run_script: z.strictObject({
    skill: skillReference,
    relative_path: z
      .string()
      .min(1)
      .max(1000)
      .describe("The script, such as scripts/aggregate.py."),
    args: z.array(z.string()).default([]).describe("Arguments, each as it is; no shell."),
  }),
  use_tool: z.strictObject({
    tool: z.string().min(1).describe("Name of the tool."),
    input: z.record(z.string(), z.unknown()).default({}).describe("Its parameters."),
  }),
  update_plan: z.strictObject({}),
  final_answer: z.strictObject({
    answer: z.string().min(1).describe("The answer to the person."),
  }),
} as const;

export type ActionName = keyof typeof actionInputs;

const withPlan = { plan_update: planUpdateSchema.optional() };

/** One decision of a model. */
export const actionSchema = z.discriminatedUnion("action", [
  actionInputs.select_skills.extend({ action: z.literal("select_skills"), ...withPlan }),
  actionInputs.load_resource.extend({ action: z.literal("load_resource"), ...withPlan }),
  actionInputs.run_script.extend({ action: z.literal("run_script"), ...withPlan }),
  actionInputs.use_tool.extend({ action: z.literal("use_tool"), ...withPlan }),
  actionInputs.update_plan.extend({
    action: z.literal("update_plan"),
    plan_update: planUpdateSchema,
  }),
  actionInputs.final_answer.extend({ action: z.literal("final_answer"), ...withPlan }),
]);

export type Action = z.infer<typeof actionSchema>;
export type SkillReference = z.infer<typeof skillReference>;
