import type { CatalogOptions } from "../catalog/catalog-entry.ts";
import type { Disclosure } from "../conversation/disclosure.ts";
import type { Failure } from "../failure.ts";
import { defined, isHostError } from "../internal/options.ts";
import { type Logger, safeLogger } from "../logger.ts";
import { readInput } from "./read-input.ts";
import { withVisibleNames } from "./read-text.ts";
import { isFailure, plainText, toolFailed } from "./result-text.ts";
import {
  type InputSchema,
  type JsonSchema,
  type ScriptExecutor,
  type SkillTool,
  type ToolContext,
  withOrigin,
} from "./skill-tool.ts";

interface CommonDefinition {
  /** Left out where the name says enough: every request carries it. */
  readonly description?: string;
  readonly optional?: true;
  /** May hold secrets or much text, so that logs only say how much there was. */
  readonly private?: true;
  /** An empty text is a value like any other. */
  readonly mayBeEmpty?: true;
}

interface TextParameter extends CommonDefinition {
  readonly type: "string";
  /** Skills that a model should choose from. Other values reach the tool, which knows a better answer. */
  readonly names?: "all" | "with scripts";
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

/** Parameters that several tools have, with the types of their values. */
export function defineParameters<const P extends ParameterDefinitions>(parameters: P): P {
  return parameters;
}

/** `namesOf` gives the names of skills, where a schema lists them. */
export function toInputSchema(
  parameters: ParameterDefinitions,
  namesOf: PresetParts["namesOf"] = () => undefined,
): InputSchema {
  const entries = Object.entries(parameters);
  return {
    type: "object",
    properties: Object.fromEntries(
      entries.map(([name, one]) => [name, toJsonSchema(one, namesOf)]),
    ),
    required: entries.filter(([, { optional }]) => optional !== true).map(([name]) => name),
    additionalProperties: false,
  };
}

const OURS: ReadonlySet<string> = new Set(["optional", "private", "mayBeEmpty", "names"]);

function toJsonSchema(parameter: ParameterDefinition, namesOf: PresetParts["namesOf"]): JsonSchema {
  const { type } = parameter;
  const described = defined({ description: parameter.description });
  if (type === "strings") return { type: "array", items: { type: "string" }, ...described };
  if (type === "words") return { type: "string", ...described };
  const entries = Object.entries(parameter).filter(([key]) => !OURS.has(key));
  const names = "names" in parameter && parameter.names ? namesOf(parameter.names) : undefined;
  return { ...Object.fromEntries(entries), ...defined({ enum: names }) };
}

const MAX_REMEMBERED = 200;

/**
 * The answers of one tool that tell of failures. A preset may say them in words, which nobody could
 * tell from the text of a file otherwise.
 */
class FailedAnswers {
  readonly #texts = new Set<string>();
  readonly #values = new WeakSet();

  add(answer: unknown): unknown {
    if (typeof answer === "object" && answer !== null) this.#values.add(answer);
    if (typeof answer !== "string") return answer;
    this.#texts.delete(answer);
    this.#texts.add(answer);
    const [oldest] = this.#texts;
    if (this.#texts.size > MAX_REMEMBERED && oldest !== undefined) this.#texts.delete(oldest);
    return answer;
  }

  has(answer: unknown): boolean {
    if (typeof answer === "string") return this.#texts.has(answer);
    return typeof answer === "object" && answer !== null && this.#values.has(answer);
  }
}

const MAX_LENGTH = 200;

/** Calls at debug, with what was asked for but nothing that may be secret. */
function logCall(
  logger: Logger | undefined,
  tool: string,
  values: Readonly<Record<string, unknown>>,
  parameters: ParameterDefinitions,
): void {
  if (logger === undefined) return;
  const entries = Object.entries(values).map(([name, value]) => {
    const isPrivate = parameters[name]?.private === true;
    return [name, isPrivate ? amountOf(value) : shortened(value)];
  });
  logger.debug("tool called", { tool, arguments: Object.fromEntries(entries) });
}

/** What a script wrote may be anything, so that only its failing is told. */
function logFailure(logger: Logger | undefined, tool: string, { code, message }: Failure): void {
  const details = code === "script-failed" ? undefined : { message: shortened(message) };
  logger?.error("tool failed", { tool, code, ...details });
}

function amountOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length} values]`;
  return `[${typeof value === "string" ? value.length : 1} characters]`;
}

function shortened(value: unknown): unknown {
  const isLong = typeof value === "string" && value.length > MAX_LENGTH;
  return isLong ? `${value.slice(0, MAX_LENGTH - 1)}…` : value;
}

/** A tool of a preset. */
export interface PresetTool<P extends ParameterDefinitions = ParameterDefinitions> {
  /** In the preset; it may be offered under another. */
  readonly name: string;
  readonly description: string;
  readonly parameters: P;
  /** Default: always. */
  readonly isOffered?: (parts: PresetParts) => boolean;
  /** It asks as far as the executor does. */
  readonly mayAsk?: true;
  /** Gives what the preset promises, or a failure. */
  readonly run: (
    values: ParameterValues<P>,
    parts: PresetParts,
    context: ToolContext,
  ) => Promise<unknown>;
  /** Default: JSON, or the text itself. */
  readonly toText?: (result: unknown) => string;
}

/** What the tools of a preset work with. */
export interface PresetParts {
  readonly view: Disclosure;
  /** The name under which a tool of the preset is offered. */
  readonly nameOf: (tool: string) => string;
  readonly executor: ScriptExecutor | undefined;
  readonly maxBytes: number | undefined;
  /** The tool that lists files, where there is one. */
  readonly listTool: string | undefined;
  /** How the catalog of the same model is made. */
  readonly catalog: CatalogOptions;
  /** The names that a schema lists now; undefined where it lists none. */
  readonly namesOf: (skills: "all" | "with scripts") => readonly string[] | undefined;
  /** What a failure looks like in this preset. */
  readonly toAnswer: (failure: Failure) => unknown;
}

/** A tool from its definition: input read and checked, failures as values and in the log. */
export function presetTool(definition: PresetTool, parts: PresetParts): SkillTool {
  const { name: origin, description, parameters, run, toText = plainText } = definition;
  const name = parts.nameOf(origin);
  const failed = new FailedAnswers();
  const call = async (input: unknown, context: ToolContext): Promise<unknown> => {
    if (context.signal?.aborted === true) return aborted();
    const read = readInput(input, toInputSchema(parameters));
    if (!read.ok) return read;
    logCall(context.logger, name, read.values, parameters);
    return run(read.values as ParameterValues<ParameterDefinitions>, parts, context);
  };
  const tool: SkillTool = {
    name,
    description,
    mayAsk: definition.mayAsk === true && parts.executor?.mayAsk === true,
    get inputSchema() {
      return toInputSchema(parameters, parts.namesOf);
    },
    async execute(input, given = {}) {
      const context = given.logger ? { ...given, logger: safeLogger(given.logger) } : given;
      const result = await call(input, context).catch((error: unknown) => {
        if (isHostError(error)) throw error;
        return toolFailed(name, error);
      });
      if (!isFailure(result)) return result;
      const failure = withVisibleNames(result, parts.view);
      logFailure(context.logger, name, failure);
      return failed.add(parts.toAnswer(failure));
    },
    isError: (result) => isFailure(result) || failed.has(result),
    toText(result) {
      try {
        return isFailure(result) ? plainText(result) : toText(result);
      } catch {
        return plainText(result);
      }
    },
  };
  return withOrigin(tool, origin);
}

function aborted(): Failure<"aborted"> {
  return { ok: false, code: "aborted", message: "the call was aborted" };
}
