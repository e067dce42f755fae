/** What spans are told: short facts, never contents, arguments or secrets. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | string[]>>;

/** The part of an OpenTelemetry span that is used. */
interface TelemetrySpan {
  setAttribute(name: string, value: string | number | boolean | string[]): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(): void;
}

/** Makes spans: a tracer of `@opentelemetry/api`, or anything of its shape. */
export interface Tracer {
  startActiveSpan<Work extends (span: TelemetrySpan) => unknown>(
    name: string,
    options: { kind?: number; attributes?: Record<string, string | number | boolean | string[]> },
    work: Work,
  ): ReturnType<Work>;
}

export interface TracedWork<Result> {
  /** As the GenAI semantic conventions name it: `execute_tool load_skill`. */
  readonly name: string;
  /** Whether it asks another system. */
  readonly isClient?: boolean;
  readonly attributes: SpanAttributes;
  /** More facts, once it is done. */
  readonly factsOf?: (result: Result) => SpanAttributes;
  /** Why it failed, as a short code; undefined for a success. */
  readonly failureOf?: (result: Result) => string | undefined;
}

const INTERNAL = 0;
const CLIENT = 2;
const ERROR = 2;

/** Does some work in a span of its own. A failure that is a value counts as one, by its code. */
export function traced<Result>(
  tracer: Tracer | undefined,
  { name, isClient = false, attributes, factsOf, failureOf = codeOf }: TracedWork<Result>,
  work: () => Promise<Result>,
): Promise<Result> {
  if (tracer === undefined) return work();
  const options = { kind: isClient ? CLIENT : INTERNAL, attributes: { ...attributes } };
  return tracer.startActiveSpan(name, options, async (span) => {
    const fail = (code: string) => {
      span.setAttribute("error.type", code);
      span.setStatus({ code: ERROR });
    };
    try {
      const result = await work();
      for (const [key, value] of Object.entries(factsOf?.(result) ?? {}))
        span.setAttribute(key, value);
      const code = failureOf(result);
      if (code !== undefined) fail(code);
      return result;
    } catch (error) {
      // The message may quote what must not leave the process.
      fail(error instanceof Error ? error.name : "error");
      throw error;
    } finally {
      span.end();
    }
  });
}

/** The work of a tool, whether a model called it or a host called the function behind it. */
export function tracedTool<Result>(
  tracer: Tracer | undefined,
  tool: string,
  attributes: SpanAttributes,
  work: () => Promise<Result>,
  factsOf?: (result: Result) => SpanAttributes,
): Promise<Result> {
  const all = {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool,
    "gen_ai.tool.type": "function",
    ...attributes,
  };
  return traced(
    tracer,
    { name: `execute_tool ${tool}`, attributes: all, ...(factsOf && { factsOf }) },
    work,
  );
}

function codeOf(result: unknown): string | undefined {
  const { ok, code } = Object(result) as { readonly ok?: unknown; readonly code?: unknown };
  if (ok !== false) return undefined;
  return typeof code === "string" ? code : "failed";
}

/** A tracer has this method; used to check options. */
export function isTracer(value: unknown): boolean {
  return typeof Object(value)["startActiveSpan"] === "function";
}
