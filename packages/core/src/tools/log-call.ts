import type { Failure } from "../failure.ts";
import type { Logger } from "../logger.ts";
import type { ParameterDefinitions } from "./parameters.ts";

const MAX_LENGTH = 200;

/** Calls at debug, with what was asked for but nothing that may be secret. */
export function logCall(
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
export function logFailure(
  logger: Logger | undefined,
  tool: string,
  { code, message }: Failure,
): void {
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
