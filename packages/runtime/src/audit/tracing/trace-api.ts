/** As much of `@opentelemetry/api` as is used here. */
export interface TraceApi {
  readonly trace: {
    getTracer(name: string, version?: string): Tracer;
    setSpan(context: unknown, span: Span): unknown;
  };
  readonly context: { active(): unknown };
  readonly SpanStatusCode: { readonly ERROR: number };
}

interface Tracer {
  startSpan(
    name: string,
    options: { attributes: Attributes; startTime?: Date },
    context?: unknown,
  ): Span;
}

export interface Span {
  setAttributes(attributes: Attributes): unknown;
  addEvent(name: string, attributes: Attributes, time?: Date): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(time?: Date): void;
}

export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** An optional peer: the host installs it or does not. Named by a variable so that nobody bundles it. */
const PACKAGE = "@opentelemetry/api";

export async function openTrace(): Promise<TraceApi | undefined> {
  try {
    const api = (await import(PACKAGE)) as Partial<TraceApi>;
    return isTraceApi(api) ? api : undefined;
  } catch {
    return undefined;
  }
}

function isTraceApi(api: Partial<TraceApi>): api is TraceApi {
  return typeof api.trace?.getTracer === "function" && api.SpanStatusCode !== undefined;
}
