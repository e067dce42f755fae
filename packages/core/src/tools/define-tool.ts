import type { Failure } from "../failure.ts";
import { isHostError } from "../internal/host-error.ts";
import { SkillwrightError } from "../skillwright-error.ts";
import { readInput } from "./read-input.ts";
import { isFailure, plainText, toolFailed } from "./result-text.ts";
import type { InputSchema, SkillTool, ToolContext } from "./skill-tool.ts";

/** A schema of zod 4 or of any other library with the Standard Schema interface. */
export interface StandardSchema<Input> {
  readonly "~standard": {
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated<Input> | Promise<Validated<Input>>;
    /** Standard JSON Schema; libraries without it need `inputSchema`. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => unknown;
    };
  };
}

type Validated<Input> =
  | { readonly value: Input; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export interface ToolDefinition<Input, Output> {
  readonly name: string;
  readonly description: string;
  /** What `execute` takes; a model's input is checked against it. */
  readonly input: StandardSchema<Input>;
  /** The JSON schema of `input`, for libraries that do not give it. */
  readonly inputSchema?: InputSchema;
  /** A failure is a value: `{ ok: false, code, message, hint? }`. What it throws becomes one. */
  readonly execute: (input: Input, context: ToolContext) => Output | Promise<Output>;
  /** What a model reads of a result. Default: a text as it is, else JSON. */
  readonly toText?: (output: Output) => string;
}

const MAX_ISSUES = 5;

/** A tool of a host, with its input checked; for `tools({ own: [tool] })`, every adapter and `runAgent`. */
export function defineTool<Input, Output>(definition: ToolDefinition<Input, Output>): SkillTool {
  const { name, description, input: schema, execute, toText } = definition;
  const inputSchema = definition.inputSchema ?? schemaOf("defineTool", definition);
  return {
    name,
    description,
    inputSchema,
    async execute(input, context = {}) {
      const read = await validated(input, schema, inputSchema);
      if (!read.ok) return read;
      try {
        return await execute(read.value, context);
      } catch (error) {
        if (isHostError(error)) throw error;
        return toolFailed(name, error);
      }
    },
    toText: (result) =>
      toText === undefined || isFailure(result) ? plainText(result) : toText(result as Output),
  };
}

/** The JSON schema of what a host's function takes. */
export function schemaOf(
  by: string,
  { name, input }: { readonly name: string; readonly input: StandardSchema<unknown> },
): InputSchema {
  const { jsonSchema, vendor } = input["~standard"];
  if (jsonSchema === undefined) {
    const message = `${by}: ${vendor} gives no JSON schema; pass "inputSchema" for ${name}`;
    throw new SkillwrightError("option-invalid", message);
  }
  const { $schema: _, ...schema } = jsonSchema.input({ target: "draft-2020-12" }) as {
    readonly $schema?: string;
    readonly type?: unknown;
  };
  if (schema.type !== "object") {
    const message = `${by}: the input of ${name} must be an object`;
    throw new SkillwrightError("option-invalid", message);
  }
  return schema as InputSchema;
}

/** As it was given, else as it was obviously meant: numbers as text, other spellings of names. */
export async function validated<Input>(
  given: unknown,
  { "~standard": schema }: StandardSchema<Input>,
  inputSchema: InputSchema,
): Promise<{ readonly ok: true; readonly value: Input } | Failure<"input-invalid">> {
  const first = await schema.validate(typeof given === "string" ? parsed(given) : (given ?? {}));
  if (first.issues === undefined) return { ok: true, value: first.value };
  const read = readInput(given, inputSchema);
  if (!read.ok) return read;
  const second = await schema.validate(read.values);
  if (second.issues === undefined) return { ok: true, value: second.value };
  const problems = first.issues.slice(0, MAX_ISSUES).map(issueText);
  const message = `the input does not fit: ${problems.join("; ")}`;
  return { ok: false, code: "input-invalid", message };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text === "" ? "{}" : text);
  } catch {
    return text;
  }
}

function issueText({ path = [], message }: Issue): string {
  const keys = path.map((part) => String(typeof part === "object" ? part.key : part));
  return keys.length === 0 ? message : `${keys.join(".")}: ${message}`;
}
