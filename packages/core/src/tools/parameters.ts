import type { InputSchema, JsonSchema } from "./skill-tool.ts";

interface CommonDefinition {
  readonly description: string;
  readonly optional?: true;
  /** May hold secrets or much text, so that logs only say how much there was. */
  readonly private?: true;
  /** An empty text is a value like any other. */
  readonly mayBeEmpty?: true;
}

export interface TextParameter extends CommonDefinition {
  readonly type: "string";
  /** What a model should choose from. Other values reach the tool, which knows a better answer. */
  readonly enum?: readonly string[];
}

interface IntegerParameter extends CommonDefinition {
  readonly type: "integer";
  readonly minimum: number;
  /** What is above is taken for this. */
  readonly maximum?: number;
  readonly default?: number;
}

interface OtherParameter extends CommonDefinition {
  readonly type: "boolean" | "strings" | "words";
}

type ParameterDefinition = TextParameter | IntegerParameter | OtherParameter;
export type ParameterDefinitions = Readonly<Record<string, ParameterDefinition>>;

interface TypeOf {
  readonly string: string;
  readonly boolean: boolean;
  readonly integer: number;
  readonly strings: readonly string[];
  /** Asked for as text; a list is taken too. */
  readonly words: string | readonly string[];
}

/** What a tool gets when its parameters are defined so. */
export type ParameterValues<P extends ParameterDefinitions> = {
  readonly [K in keyof P]:
    | TypeOf[P[K]["type"]]
    | (P[K] extends { readonly optional: true } ? undefined : never);
};

export function toInputSchema(parameters: ParameterDefinitions): InputSchema {
  const entries = Object.entries(parameters);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, one]) => [name, toJsonSchema(one)])),
    required: entries.filter(([, { optional }]) => optional !== true).map(([name]) => name),
    additionalProperties: false,
  };
}

const OURS: ReadonlySet<string> = new Set(["optional", "private", "mayBeEmpty"]);

function toJsonSchema(parameter: ParameterDefinition): JsonSchema {
  const { type, description } = parameter;
  if (type === "strings") return { type: "array", items: { type: "string" }, description };
  if (type === "words") return { type: "string", description };
  return Object.fromEntries(Object.entries(parameter).filter(([key]) => !OURS.has(key)));
}

/** How a script is called, in every preset. */
export const SCRIPT_PARAMETERS = {
  script_file: {
    type: "string",
    description: 'File under scripts/, such as "analyze.py".',
  },
  args: {
    type: "strings",
    description: "Arguments for the script, one by one.",
    optional: true,
    private: true,
  },
} as const;

/** How skills are searched for, in every preset. */
export const SEARCH_PARAMETERS = {
  query: { type: "string", description: "The task, in a few words." },
  n: {
    type: "integer",
    description: "How many at most.",
    minimum: 1,
    maximum: 50,
    default: 5,
    optional: true,
  },
} as const;
