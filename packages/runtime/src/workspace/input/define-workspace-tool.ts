import type { Failure, InputSchema, Logger, SkillTool, ToolContext } from "@skillwright/core";
import { promptText, readInput, truncate } from "@skillwright/core/internal";

interface CommonParameter {
  readonly description: string;
  readonly optional?: true;
  /** May hold secrets or much text, so that logs only say how much there was. */
  readonly private?: true;
  /** Other words that models use for it. */
  readonly otherNames?: readonly string[];
  /** An empty text is a value like any other. */
  readonly mayBeEmpty?: true;
}

type Parameter =
  | (CommonParameter & { readonly type: "string" | "boolean" | "strings" | "words" })
  | (CommonParameter & {
      readonly type: "integer";
      readonly minimum: number;
      /** What is above is taken for this. */
      readonly maximum?: number;
    });

export type Parameters = Readonly<Record<string, Parameter>>;

interface TypeOf {
  readonly string: string;
  readonly boolean: boolean;
  readonly integer: number;
  readonly strings: readonly string[];
  /** Asked for as text; a list is taken too. */
  readonly words: string | readonly string[];
}

/** What a tool gets when its parameters are defined so. */
type ParameterValues<P extends Parameters> = {
  readonly [K in keyof P]:
    | TypeOf[P[K]["type"]]
    | (P[K] extends { readonly optional: true } ? undefined : never);
};

function toInputSchema(parameters: Parameters): InputSchema {
  const entries = Object.entries(parameters);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, one]) => [name, toJsonSchema(one)])),
    required: entries.filter(([, { optional }]) => optional !== true).map(([name]) => name),
    additionalProperties: false,
  };
}

function toJsonSchema(parameter: Parameter): Readonly<Record<string, unknown>> {
  const { type, description } = parameter;
  if (type === "strings") return { type: "array", items: { type: "string" }, description };
  if (type === "words") return { type: "string", description };
  if (type !== "integer") return { type, description };
  const { minimum, maximum } = parameter;
  return { type, minimum, ...(maximum !== undefined && { maximum }), description };
}

type ToolInput<P extends Parameters> =
  | { readonly ok: true; readonly values: ParameterValues<P> }
  | Failure<"input-invalid">;

/** The parameters of a call, as forgiving as `readInput`. Never throws. */
export function readToolInput<P extends Parameters>(input: unknown, parameters: P): ToolInput<P> {
  const entries = Object.entries(parameters);
  const namesOf = (wanted: (one: Parameter) => boolean) =>
    new Set(entries.filter(([, one]) => wanted(one)).map(([name]) => name));
  const read = readInput(input, toInputSchema(parameters), {
    otherNames: Object.fromEntries(
      entries.map(([name, { otherNames = [] }]) => [name, otherNames]),
    ),
    mayBeEmpty: namesOf(({ mayBeEmpty }) => mayBeEmpty === true),
    mayBeList: namesOf(({ type }) => type === "words"),
  });
  return read as ToolInput<P>;
}

/** How every tool takes the path of a file or folder. */
export function pathParameter(description: string) {
  return {
    type: "string",
    description,
    otherNames: ["file_path", "file", "filename", "relative_path", "directory", "dir", "folder"],
  } as const;
}

type WorkspaceToolName =
  | "read_file"
  | "write_file"
  | "edit_file"
  | "delete_file"
  | "list_directory"
  | "search_files"
  | "run_command"
  | "network_request";

interface WorkspaceToolDefinition<P extends Parameters, R extends Succeeded> {
  readonly name: WorkspaceToolName;
  readonly description: string;
  readonly parameters: P;
  readonly run: (values: ParameterValues<P>, context: ToolContext) => Promise<R | Failure>;
  /** Of what `run` gave when it did not fail. */
  readonly toText: (result: R) => string;
}

/** A tool that also shows how it reads its input. */
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
    if (context.signal?.aborted === true) return aborted();
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

function aborted(): Failure<"aborted"> {
  return { ok: false, code: "aborted", message: "the call was aborted" };
}

/** A bug of ours or of the host: the model still gets an answer. */
function broken(name: string, error: unknown): Failure<"tool-failed"> {
  const reason = error instanceof Error ? error.message : "an unknown error";
  return { ok: false, code: "tool-failed", message: `${name} failed: ${reason}` };
}

function shortened(value: unknown): unknown {
  return typeof value === "string" ? truncate(value, MAX_LOGGED) : value;
}
