import type { SkillTool } from "@skillwright/core";
import type { JsonSchema } from "@skillwright/core/internal";
import type { ActionDefinition, ModelProtocol } from "../models/model.ts";
import type { PlanUpdate } from "./plan.ts";
import { isRecord } from "./read-json.ts";

/** What a model can decide, in the one form that records, evals and hosts see. */
export type Action = (
  | {
      readonly action: "select_skills";
      readonly skills: readonly SkillReference[];
      readonly reason?: string;
    }
  | { readonly action: "unload_skill"; readonly skill: SkillReference }
  | LoadResource
  | RunScript
  | { readonly action: "use_tool"; readonly tool: string; readonly input: ToolInput }
  | { readonly action: "update_plan" }
  | { readonly action: "final_answer"; readonly answer: string }
) & { readonly plan_update?: PlanUpdate };

export type ActionName = Action["action"];
export type ActionOf<Name extends ActionName> = Extract<Action, { action: Name }>;
type ToolInput = Readonly<Record<string, unknown>>;

export interface SkillReference {
  readonly name: string;
  readonly source?: string;
}

// Type aliases, because interfaces are no records.
type LoadResource = {
  readonly action: "load_resource";
  readonly skill: SkillReference;
  readonly relative_path: string;
  readonly section_hint?: string;
  readonly start_line?: number;
  readonly end_line?: number;
};

type RunScript = {
  readonly action: "run_script";
  readonly skill: SkillReference;
  readonly relative_path: string;
  readonly args: readonly string[];
};

const text = { type: "string" };

/**
 * The actions as a model sees them. The schemas are flat and short, since every request carries them;
 * `read-turn.ts` accepts much more.
 */
export const ACTIONS = {
  select_skills: {
    description: "Load the instructions of skills that fit the request.",
    properties: {
      skills: {
        type: "array",
        items: text,
        description: "Such as pdf, docx@user",
      },
    },
    required: ["skills"],
    example: { skills: ["pdf"] },
  },
  unload_skill: {
    description: "Drop a loaded skill, and its restrictions.",
    properties: { skill: text },
    required: ["skill"],
    example: { skill: "pdf" },
  },
  load_resource: {
    description: "Read a file of a loaded skill.",
    properties: {
      skill: text,
      path: text,
      lines: { type: "string", description: "Such as 1-80" },
      section: { type: "string", description: "Only under this heading" },
    },
    required: ["skill", "path"],
    example: { skill: "pdf", path: "references/forms.md" },
  },
  run_script: {
    description: "Run a script of a loaded skill.",
    properties: { skill: text, script: text, args: { type: "array", items: text } },
    required: ["skill", "script"],
    example: { skill: "pdf", script: "scripts/fill.py", args: ["in.pdf"] },
  },
  use_tool: {
    description: "Use a tool.",
    properties: { tool: text, input: { type: "object" } },
    required: ["tool"],
    example: { tool: "read_file", input: { path: "a.txt" } },
  },
  update_plan: {
    description: "Optional, for longer work: its steps.",
    properties: {
      steps: {
        type: "array",
        items: {
          type: "object",
          properties: {
            title: text,
            status: { enum: ["pending", "in_progress", "completed"] },
          },
          required: ["title"],
        },
      },
      goal: text,
    },
    required: ["steps"],
    example: { steps: [{ title: "Read the form", status: "in_progress" }] },
  },
  final_answer: {
    description: "Answer the person and end.",
    properties: { answer: text },
    required: ["answer"],
    example: { answer: "…" },
  },
} as const satisfies Readonly<Record<ActionName, object>>;

interface DefinitionOptions {
  readonly tools: readonly SkillTool[];
  /** Whether scripts can be run here at all. */
  readonly canRun: boolean;
  /** The run began without a skill, so what acts on skills is left out. */
  readonly noSkills?: boolean | undefined;
  readonly protocol: ModelProtocol;
  /** The schema of a structured answer. */
  readonly answer?: JsonSchema;
}

/** The same tools give the same list, which keeps what is cached for it. */
const LISTS = new WeakMap<readonly SkillTool[], Map<string, readonly ActionDefinition[]>>();

/**
 * One native tool per action, and one per tool of the host: a model that calls it means `use_tool`.
 * The list never changes during a run, which keeps prompt caches valid.
 */
export function actionDefinitions(options: DefinitionOptions): readonly ActionDefinition[] {
  const { tools, protocol, answer } = options;
  const lists = LISTS.get(tools) ?? new Map<string, readonly ActionDefinition[]>();
  LISTS.set(tools, lists);
  const key = `${protocol} ${offeredActions(options).length} ${JSON.stringify(answer)}`;
  const list = lists.get(key) ?? listOf(options);
  lists.set(key, list);
  return list;
}

/** What a model can decide, beside the tools. */
export function offeredActions({
  canRun,
  noSkills = false,
  protocol,
  answer,
}: Omit<DefinitionOptions, "tools">): readonly ActionName[] {
  const names: ActionName[] = noSkills ? [] : ["select_skills", "load_resource"];
  if (canRun && !noSkills) names.push("run_script");
  if (!noSkills) names.push("unload_skill");
  // With native calls the answer is plain text, unless it has to have a structure.
  const isWritten = protocol === "json" || answer !== undefined;
  return [...names, "update_plan", ...(isWritten ? (["final_answer"] as const) : [])];
}

function listOf(options: DefinitionOptions) {
  const { tools, answer } = options;
  const names = offeredActions(options);
  // Services refuse two tools of one name; the first one is what the name means.
  const isFirst = ({ name }: SkillTool, i: number) =>
    !Object.hasOwn(ACTIONS, name) && tools.findIndex((one) => one.name === name) === i;
  return [
    ...names.map((name) => definitionOf(name, answer)),
    ...tools.filter(isFirst).map(toolDefinition),
  ];
}

function definitionOf(name: ActionName, answer?: JsonSchema): ActionDefinition {
  const { description, properties: usual, required } = ACTIONS[name];
  const properties = name === "final_answer" && answer !== undefined ? { answer } : usual;
  return { name, description, inputSchema: { type: "object", properties, required } };
}

function toolDefinition({ name, description, inputSchema }: SkillTool): ActionDefinition {
  const { additionalProperties, required, properties, ...rest }: JsonSchema = { ...inputSchema };
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  const isNeeded = !Array.isArray(required) || required.length > 0;
  // Every request carries these schemas, so what says nothing to a model is left out.
  return {
    name,
    description,
    inputSchema: {
      ...rest,
      ...(isRecord(properties) && { properties: withoutUsualBounds(properties) }),
      ...(required !== undefined && isNeeded && { required }),
      ...(isOpen && { additionalProperties }),
    },
  };
}

/** That counts begin at 0 or 1 is no news to a model. */
function withoutUsualBounds(properties: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const { minimum, ...rest } = Object(property) as JsonSchema;
      return [name, minimum === 0 || minimum === 1 ? rest : property];
    }),
  );
}
