import type { Failure } from "../failure.ts";
import { safeLogger } from "../logger.ts";
import type { Disclosure } from "../conversation/disclosure.ts";
import { isHostError } from "../internal/host-error.ts";
import type { Logger } from "../logger.ts";
import { isFailure, plainText, toolFailed } from "./result-text.ts";
import { type ParameterDefinitions, type ParameterValues, toInputSchema } from "./parameters.ts";
import { readInput } from "./read-input.ts";
import { type SkillTool, type ToolContext, withOrigin } from "./skill-tool.ts";
import { withVisibleNames } from "./read-text.ts";

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

interface ToolDefinition<P extends ParameterDefinitions> {
  /** In the preset; it may be offered under another. */
  readonly name: string;
  readonly description: string;
  readonly parameters: P;
  /** Gives what the preset promises, or a failure. */
  readonly run: (values: ParameterValues<P>, context: ToolContext) => Promise<unknown>;
  /** Default: JSON, or the text itself. */
  readonly toText?: (result: unknown) => string;
  readonly mayAsk?: boolean | undefined;
}

interface ToolSurroundings {
  readonly view: Disclosure;
  /** The name under which a tool of the preset is offered. */
  readonly nameOf: (tool: string) => string;
  /** What a failure looks like in this preset. Default: as the value it is. */
  readonly failure?: (failure: Failure) => unknown;
}

/** A tool from its definition: input read and checked, failures as values and in the log. */
export function presetTool<const P extends ParameterDefinitions>(
  {
    name: origin,
    description,
    parameters,
    run,
    mayAsk = false,
    toText = plainText,
  }: ToolDefinition<P>,
  { view, nameOf, failure: toAnswer = (failure) => failure }: ToolSurroundings,
): SkillTool {
  const name = nameOf(origin);
  const failed = new FailedAnswers();
  const call = async (input: unknown, context: ToolContext): Promise<unknown> => {
    if (context.signal?.aborted === true) return aborted();
    const read = readInput(input, toInputSchema(parameters));
    if (!read.ok) return read;
    logCall(context.logger, name, read.values, parameters);
    return run(read.values as ParameterValues<P>, context);
  };
  const tool: SkillTool = {
    name,
    description,
    mayAsk,
    get inputSchema() {
      return toInputSchema(parameters);
    },
    async execute(input, given = {}) {
      const context = given.logger ? { ...given, logger: safeLogger(given.logger) } : given;
      const result = await call(input, context).catch((error: unknown) => {
        if (isHostError(error)) throw error;
        return toolFailed(name, error);
      });
      if (!isFailure(result)) return result;
      const failure = withVisibleNames(result, view);
      logFailure(context.logger, name, failure);
      return failed.add(toAnswer(failure));
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
