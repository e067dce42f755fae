import type { Failure, Logger, SkillTool, ToolContext } from "@skillwright/core";
import { promptText, truncate } from "@skillwright/core/internal";
import type { WorkspaceToolName } from "../workspace-names.ts";
import { type Parameters, type ParameterValues, toInputSchema } from "./parameter.ts";
import { readToolInput, type ToolInput } from "./tool-input.ts";

export interface WorkspaceToolDefinition<P extends Parameters, R extends Succeeded> {
  readonly name: WorkspaceToolName;
  readonly description: string;
  readonly parameters: P;
  readonly run: (values: ParameterValues<P>, context: ToolContext) => Promise<R | Failure>;
  /** Of what `run` gave when it did not fail. */
  readonly toText: (result: R) => string;
}

/** A tool that also tells what it would be called with. */
export interface WorkspaceTool extends SkillTool {
  readonly name: WorkspaceToolName;
  /**
   * The parameters under their own names, or what is wrong with them. Whoever decides about a call
   * must look at these: a model may write `file_path` for `path`, and JSON text for an object.
   */
  readInput(input: unknown): ToolInput<Parameters>;
}

interface Succeeded {
  readonly ok: true;
}

const MAX_LOGGED = 200;

/** A tool from its definition: input read and checked, failures as values and in the log. */
export function defineWorkspaceTool<const P extends Parameters, R extends Succeeded>({
  name,
  description,
  parameters,
  run,
  toText,
}: WorkspaceToolDefinition<P, R>): WorkspaceTool {
  const call = async (input: unknown, context: ToolContext): Promise<unknown> => {
    if (context.signal?.aborted === true) return cancelled();
    const read = readToolInput(input, parameters);
    if (!read.ok) return read;
    logCall(context.logger, name, read.values, parameters);
    return run(read.values, context);
  };
  return {
    name,
    description,
    inputSchema: toInputSchema(parameters),
    readInput: (input) => readToolInput<Parameters>(input, parameters),
    async execute(input, context = {}) {
      const result = await call(input, context).catch((error: unknown) => broken(name, error));
      if (isFailure(result)) {
        const { code, message } = result;
        context.logger?.error("tool failed", { tool: name, code, message: shortened(message) });
      }
      return forPrompt(result);
    },
    toText(result) {
      try {
        if (isFailure(result)) return promptText(failureText(result));
        const isOurs = isSucceeded(result);
        return promptText(isOurs ? toText(result as R) : (JSON.stringify(result) ?? ""));
      } catch {
        return "The result cannot be shown.";
      }
    },
  };
}

/** Every text of a result may reach a model, in a host that passes results on as JSON. */
export function forPrompt<Value>(value: Value): Value {
  if (typeof value === "string") return promptText(value) as Value & string;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => forPrompt(item)) as Value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, forPrompt(item as unknown)]),
  ) as Value;
}

/** Calls at debug, with what was asked for but nothing that may be secret. */
function logCall(
  logger: Logger | undefined,
  tool: string,
  values: Readonly<Record<string, unknown>>,
  parameters: Parameters,
): void {
  const entries = Object.entries(values).map(([name, value]) => {
    const isPrivate = parameters[name]?.private === true;
    return [name, isPrivate ? `[${String(value).length} characters]` : shortened(value)];
  });
  logger?.debug("tool called", { tool, arguments: Object.fromEntries(entries) });
}

function isFailure(value: unknown): value is Failure {
  if (typeof value !== "object" || value === null) return false;
  const { ok, code, message } = value as Partial<Record<string, unknown>>;
  return ok === false && typeof code === "string" && typeof message === "string";
}

/** Only what `run` gave has it. */
function isSucceeded(value: unknown): value is Succeeded {
  return typeof value === "object" && value !== null && "ok" in value && value.ok === true;
}

function failureText({ message, hint, candidates = [] }: Failure): string {
  const near = candidates.length === 0 ? [] : [`Did you mean: ${candidates.join(", ")}?`];
  const more = [...(hint === undefined ? [] : [sentence(hint)]), ...near];
  // Several lines hold the output of a program, which stays exact.
  if (message.includes("\n")) return [`Error: ${message}`, ...more].join("\n");
  return ["Error:", sentence(message), ...more].join(" ");
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function cancelled(): Failure<"cancelled"> {
  return { ok: false, code: "cancelled", message: "the call was cancelled" };
}

/** A bug of ours or of the host: the model still gets an answer. */
function broken(name: string, error: unknown): Failure<"tool-failed"> {
  const reason = error instanceof Error ? error.message : "an unknown error";
  return { ok: false, code: "tool-failed", message: `${name} failed: ${reason}` };
}

function shortened(value: unknown): unknown {
  return typeof value === "string" ? truncate(value, MAX_LOGGED) : value;
}
