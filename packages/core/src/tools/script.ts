import type { Failure } from "../failure.ts";
import { isHostError } from "../internal/host-error.ts";
import { crypto } from "../internal/lazy-builtins.ts";
import { SkillwrightError } from "../skillwright-error.ts";
import type { CodeScript } from "../sources/skill-source.ts";
import { schemaOf, type StandardSchema, validated } from "./define-tool.ts";
import { isFailure, plainText } from "./result-text.ts";
import type { InputSchema } from "./skill-tool.ts";

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
