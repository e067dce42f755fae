import type { SkillTool } from "@skillwright/core";
import * as z from "zod";
import type { ActionDefinition } from "../models/model.ts";
import { actionInputs, type ActionName } from "./action.ts";
import { planUpdateSchema } from "./plan.ts";

interface DefinitionOptions {
  readonly tools: readonly SkillTool[];
  /** Whether scripts can be run here at all. */
  readonly canRun: boolean;
  readonly mustAnswer: boolean;
}

const DESCRIPTIONS: Readonly<Record<ActionName, string>> = {
  select_skills: "Load the instructions of skills that fit the request. Do this before using them.",
  load_resource: "Read one file of a skill that its instructions mention.",
  run_script: "Run a script of a skill, as its instructions say.",
  use_tool: "Use one of the tools.",
  update_plan: "Only change the plan.",
  final_answer: "Answer the person and end.",
};

/** For the same tools the same list, so that what is known of it need not be found out again. */
const LISTS = new WeakMap<readonly SkillTool[], Map<string, readonly ActionDefinition[]>>();

/** One native tool per action, and one per tool: a model that calls it means `use_tool`. */
export function actionDefinitions(options: DefinitionOptions): readonly ActionDefinition[] {
  const { tools, canRun, mustAnswer } = options;
  const lists = LISTS.get(tools) ?? new Map<string, readonly ActionDefinition[]>();
  LISTS.set(tools, lists);
  const key = mustAnswer ? "answer" : String(canRun);
  const list = lists.get(key) ?? listOf(options);
  lists.set(key, list);
  return list;
}

function listOf({ tools, canRun, mustAnswer }: DefinitionOptions): readonly ActionDefinition[] {
  if (mustAnswer) return [definitionOf("final_answer")];
  const names: ActionName[] = ["select_skills", "load_resource"];
  if (canRun) names.push("run_script");
  names.push("update_plan", "final_answer");
  // A service refuses two tools of one name; the first one is what the name means.
  const isFirst = ({ name }: SkillTool, i: number) =>
    !Object.hasOwn(actionInputs, name) && tools.findIndex((one) => one.name === name) === i;
  return [...names.map(definitionOf), ...tools.filter(isFirst).map(toolDefinition)];
}

/** Its schema is in every prompt, so that it stands there only once; only for that is this one open. */
const PLAN_UPDATE = z.looseObject({}).optional().describe("As in update_plan.");

const CACHE = new Map<ActionName, ActionDefinition>();

function definitionOf(name: ActionName): ActionDefinition {
  const known = CACHE.get(name);
  if (known !== undefined) return known;
  const plan = name === "update_plan" ? planUpdateSchema : PLAN_UPDATE;
  const schema = actionInputs[name].extend({ plan_update: plan });
  const { $schema: _, ...inputSchema } = z.toJSONSchema(schema, { io: "input" });
  const definition = { name, description: DESCRIPTIONS[name], inputSchema };
  CACHE.set(name, definition);
  return definition;
}

function toolDefinition({ name, description, inputSchema }: SkillTool): ActionDefinition {
  return { name, description, inputSchema: { ...inputSchema } };
}
