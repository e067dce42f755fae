import type { JsonSchema, SkillTool } from "@skillwright/core";
import type { ActionDefinition, ModelProtocol } from "../models/model.ts";
import { type ActionName, ACTIONS } from "./action.ts";

interface DefinitionOptions {
  readonly tools: readonly SkillTool[];
  /** Whether scripts can be run here at all. */
  readonly canRun: boolean;
  readonly protocol: ModelProtocol;
  /** The schema of a structured answer. */
  readonly answer?: JsonSchema;
}

/** The same tools give the same list, so that what was computed of it is kept. */
const LISTS = new WeakMap<readonly SkillTool[], Map<string, readonly ActionDefinition[]>>();

/**
 * One native tool per action, and one per tool of the host: a model that calls it means `use_tool`.
 * The list never changes during a run, which keeps prompt caches valid.
 */
export function actionDefinitions(options: DefinitionOptions): readonly ActionDefinition[] {
  const { tools, canRun, protocol, answer } = options;
  const lists = LISTS.get(tools) ?? new Map<string, readonly ActionDefinition[]>();
  LISTS.set(tools, lists);
  const key = `${protocol} ${canRun} ${JSON.stringify(answer)}`;
  const list = lists.get(key) ?? listOf(options);
  lists.set(key, list);
  return list;
}

function listOf(options: DefinitionOptions): readonly ActionDefinition[] {
  const { tools, canRun, protocol, answer } = options;
  const names: ActionName[] = ["select_skills", "load_resource"];
  if (canRun) names.push("run_script");
  names.push("unload_skill", "update_plan");
  // With native calls the answer is plain text, unless it has to have a structure.
  if (protocol === "json" && answer === undefined) names.push("final_answer");
  // Services refuse two tools of one name; the first one is what the name means.
  const isFirst = ({ name }: SkillTool, i: number) =>
    !Object.hasOwn(ACTIONS, name) && tools.findIndex((one) => one.name === name) === i;
  const structured = answer === undefined ? [] : [structuredAnswer(answer)];
  return [...names.map(definitionOf), ...structured, ...tools.filter(isFirst).map(toolDefinition)];
}

function definitionOf(name: ActionName): ActionDefinition {
  const { description, properties, required } = ACTIONS[name];
  return { name, description, inputSchema: { type: "object", properties, required } };
}

function structuredAnswer(answer: JsonSchema): ActionDefinition {
  const { name, description, inputSchema } = definitionOf("final_answer");
  return { name, description, inputSchema: { ...inputSchema, properties: { answer } } };
}

function toolDefinition({ name, description, inputSchema }: SkillTool): ActionDefinition {
  return { name, description, inputSchema: { ...inputSchema } };
}
