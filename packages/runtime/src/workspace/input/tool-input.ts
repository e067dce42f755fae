import type { Failure, InputSchema } from "@skillwright/core";
import { readInput } from "@skillwright/core/internal";

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
export type ParameterValues<P extends Parameters> = {
  readonly [K in keyof P]:
    | TypeOf[P[K]["type"]]
    | (P[K] extends { readonly optional: true } ? undefined : never);
};

export function toInputSchema(parameters: Parameters): InputSchema {
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

export type ToolInput<P extends Parameters> =
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
