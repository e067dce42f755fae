import type { Failure } from "../failure.ts";
import type { SkillsView } from "../host/skills-view.ts";
import { safeLogger } from "../host/safe-logger.ts";
import { isFailure } from "./failure-text.ts";
import { FailedAnswers } from "./failed-answers.ts";
import { logCall, logFailure } from "./log-call.ts";
import { type ParameterDefinitions, type ParameterValues, toInputSchema } from "./parameters.ts";
import { plainText } from "./plain-text.ts";
import { readInput } from "./read-input.ts";
import type { SkillTool, ToolContext } from "./skill-tool.ts";
import { withOrigin } from "./tool-origin.ts";
import { withVisibleNames } from "./visible-names.ts";

export interface ToolDefinition<P extends ParameterDefinitions> {
  /** In the preset; it may be offered under another. */
  readonly name: string;
  readonly description: string;
  readonly parameters: P;
  /** Gives what the preset promises, or a failure. */
  readonly run: (values: ParameterValues<P>, context: ToolContext) => Promise<unknown>;
  /** Default: JSON, or the text itself. */
  readonly toText?: (result: unknown) => string;
}

export interface ToolSurroundings {
  readonly view: SkillsView;
  /** The name under which a tool of the preset is offered. */
  readonly nameOf: (tool: string) => string;
  /** What a failure looks like in this preset. Default: as the value it is. */
  readonly failure?: (failure: Failure) => unknown;
}

/** A tool from its definition: input read and checked, failures as values and in the log. */
export function defineTool<const P extends ParameterDefinitions>(
  { name: origin, description, parameters, run, toText = plainText }: ToolDefinition<P>,
  { view, nameOf, failure: toAnswer = (failure) => failure }: ToolSurroundings,
): SkillTool {
  const name = nameOf(origin);
  const inputSchema = toInputSchema(parameters);
  const failed = new FailedAnswers();
  const call = async (input: unknown, context: ToolContext): Promise<unknown> => {
    if (context.signal?.aborted === true) return cancelled();
    const read = readInput(input, inputSchema);
    if (!read.ok) return read;
    logCall(context.logger, name, read.values, parameters);
    return run(read.values as ParameterValues<P>, context);
  };
  const tool: SkillTool = {
    name,
    description,
    inputSchema,
    async execute(input, given = {}) {
      const context = given.logger ? { ...given, logger: safeLogger(given.logger) } : given;
      const result = await call(input, context).catch((error: unknown) => broken(name, error));
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

function cancelled(): Failure<"cancelled"> {
  return { ok: false, code: "cancelled", message: "the call was cancelled" };
}

/** A bug of ours or of the host: the model still gets an answer. */
function broken(name: string, error: unknown): Failure<"tool-failed"> {
  const reason = error instanceof Error ? error.message : "an unknown error";
  return { ok: false, code: "tool-failed", message: `${name} failed: ${reason}` };
}
