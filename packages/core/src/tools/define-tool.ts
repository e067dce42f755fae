import type { Failure } from "../failure.ts";
import { isHostError } from "../internal/options.ts";
import { crypto } from "../internal/files.ts";
import { SkillwrightError } from "../skillwright-error.ts";
import type { CodeScript } from "../sources/skill-source.ts";
import { readInput } from "./read-input.ts";
import { isFailure, plainText, toolFailed } from "./result-text.ts";
import type { InputSchema, SkillTool, ToolContext } from "./skill-tool.ts";

/** A schema of zod 4 or of any other library with the Standard Schema interface. */
interface StandardSchema<Input> {
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

interface ToolDefinition<Input, Output> {
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
function schemaOf(
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
async function validated<Input>(
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

interface ScriptDefinition<Input, Output> {
  /** As the model calls it: letters, digits, `-`, `_` and `.`. */
  readonly name: string;
  readonly description?: string;
  /** Calls are checked against it: a schema of zod, or of any library with Standard Schema. */
  readonly input: StandardSchema<Input>;
  /** The JSON schema of `input`, for libraries that do not give it. */
  readonly inputSchema?: InputSchema;
  /** Its result is the output: a text as it is, anything else as JSON. A failure is a value; what it throws becomes one. */
  readonly run: (
    input: Input,
    context: { readonly signal?: AbortSignal },
  ) => Output | Promise<Output>;
}

const NAME = /^[A-Za-z0-9][\w.-]{0,99}$/;

/**
 * A script that is a function of the host, for `scripts` of a skill in code. A model lists and runs it
 * like a file below `scripts/`, and every call passes the same policy, approval and record.
 */
export function script<Input, Output>(definition: ScriptDefinition<Input, Output>): CodeScript {
  const { name, description = "", input, run } = definition;
  if (!NAME.test(name)) {
    const message = `script: ${JSON.stringify(name)} is not a name of a script`;
    throw new SkillwrightError("option-invalid", message);
  }
  const schema = definition.inputSchema ?? schemaOf("script", definition);
  const read = (args: readonly string[]) => validated(valuesOf(args), input, schema);
  return {
    path: `scripts/${name}`,
    text: textOf(name, description, schema, run),
    async check(args) {
      const checked = await read(args);
      return checked.ok ? undefined : { ...checked, hint: `${checked.hint ?? ""} ${USAGE}`.trim() };
    },
    async run(args, context) {
      const checked = await read(args);
      if (!checked.ok) return checked;
      try {
        const output = await run(checked.value, context);
        return isFailure(output) ? output : { ok: true, text: plainText(output) };
      } catch (error) {
        if (isHostError(error)) throw error;
        return failed(name, error);
      }
    },
  };
}

const USAGE = 'Give the input as one argument: JSON such as {"key": "value"}.';

function failed(name: string, error: unknown): Failure<"script-failed"> {
  const reason = error instanceof Error ? error.message : String(error);
  return { ok: false, code: "script-failed", message: `${name} failed: ${reason}` };
}

/** The function's own text is part of it, so that another function has another digest. */
function textOf(name: string, description: string, schema: InputSchema, run: unknown): string {
  const code = crypto().createHash("sha256").update(String(run)).digest("hex");
  return [
    `${name}: a function of the application.`,
    ...(description === "" ? [] : [description]),
    USAGE,
    `Its JSON schema: ${JSON.stringify(schema)}`,
    `Code: sha256:${code}`,
    "",
  ].join("\n");
}

const OPTION = /^(?:--)?([A-Za-z_][\w-]*)(?:=([^]*))?$/;

/** One argument with JSON, or options: `--date 2026-11-19`, `date=2026-11-19`. */
function valuesOf(args: readonly string[]): unknown {
  const [first, ...more] = args;
  if (first === undefined) return {};
  if (more.length === 0 && /^\s*\{/.test(first)) return first;
  const values: [string, string][] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? "";
    const [, key, value] = OPTION.exec(arg) ?? [];
    const isOption = key !== undefined && (value !== undefined || arg.startsWith("--"));
    if (!isOption) return first;
    values.push([key, value ?? args[++i] ?? ""]);
  }
  return Object.fromEntries(values);
}
