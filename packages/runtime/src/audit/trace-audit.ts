import type { Audit, AuditRecord } from "./audit.ts";

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

/** An optional peer dependency. Named by a variable so that bundlers leave it out. */
const PACKAGE = "@opentelemetry/api";

async function openTrace(): Promise<TraceApi | undefined> {
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

/** What is read from the data of an event; everything else stays in the record. */
interface Described {
  /** The same at the beginning and the end of what has both. */
  readonly id: string;
  readonly tool?: string;
  readonly script?: string;
  readonly skill?: string;
  readonly digest?: string;
  readonly code?: string;
  readonly ok?: boolean;
  readonly exitCode?: number;
}

const STARTS: ReadonlyMap<string, string> = new Map([
  ["run-start", "run"],
  ["script-start", "script"],
  ["tool-call", "tool"],
]);
const ENDS: ReadonlyMap<string, string> = new Map([
  ["run-end", "run"],
  ["script-end", "script"],
  ["tool-end", "tool"],
]);

/** The spans that are open while a record is written. */
class AuditSpans {
  readonly #api: TraceApi;
  /** By kind and id, in the order in which they began. */
  readonly #open = new Map<string, Span>();
  #skill: Pick<Described, "skill" | "digest"> = {};

  constructor(api: TraceApi) {
    this.#api = api;
  }

  add(record: AuditRecord): void {
    const { event } = record;
    const about = describeData(record.data);
    if (event === "skill-activate") this.#skill = about;
    const [starting, ending] = [STARTS.get(event), ENDS.get(event)];
    if (starting !== undefined) this.#start(starting, about, record);
    else if (ending !== undefined) this.#end(ending, about, record);
    else this.#last()?.addEvent(event, this.#attributesOf(about), new Date(record.time));
  }

  /** What did not end was interrupted. */
  end(): void {
    for (const span of [...this.#open.values()].reverse()) {
      span.setAttributes({ "error.type": "interrupted" });
      span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: "interrupted" });
      span.end();
    }
    this.#open.clear();
  }

  #start(kind: string, about: Described, { time, sequence }: AuditRecord): void {
    const { trace, context } = this.#api;
    const parent = this.#last();
    const active = context.active();
    const attributes = { ...this.#attributesOf(about), ...operationOf(kind, about) };
    const tool = attributes["gen_ai.tool.name"];
    const name = [attributes["gen_ai.operation.name"], tool].filter(Boolean).join(" ");
    const span = trace.getTracer("@skillwright/runtime").startSpan(
      name,
      {
        attributes: { ...attributes, "skillwright.audit.sequence": sequence },
        startTime: new Date(time),
      },
      parent === undefined ? active : trace.setSpan(active, parent),
    );
    this.#open.set(`${kind} ${about.id}`, span);
  }

  #end(kind: string, about: Described, { time }: AuditRecord): void {
    const key = `${kind} ${about.id}`;
    const span = this.#open.get(key);
    if (span === undefined) return;
    this.#open.delete(key);
    const { ok, exitCode, code } = about;
    if (exitCode !== undefined) span.setAttributes({ "process.exit.code": exitCode });
    if (ok === false || (ok === undefined && (exitCode ?? 0) !== 0)) {
      const type = code ?? (exitCode === undefined ? "_OTHER" : `exit-${exitCode}`);
      span.setAttributes({ "error.type": type });
      span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: type });
    }
    span.end(new Date(time));
  }

  #last(): Span | undefined {
    return [...this.#open.values()].at(-1);
  }

  /** An event that names no skill belongs to the one activated last. */
  #attributesOf({ skill, digest }: Described): Attributes {
    const of =
      skill === undefined ? this.#skill : { skill, digest: digest ?? this.#digestOf(skill) };
    return {
      ...(of.skill !== undefined && { "skill.name": of.skill }),
      ...(of.digest !== undefined && { "skill.digest": of.digest }),
    };
  }

  #digestOf(skill: string): string | undefined {
    return this.#skill.skill === skill ? this.#skill.digest : undefined;
  }
}

function operationOf(kind: string, { id, tool, script }: Described): Attributes {
  if (kind === "run")
    return { "gen_ai.operation.name": "invoke_agent", "gen_ai.conversation.id": id };
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": tool ?? (kind === "script" ? "run_script" : "unknown"),
    "gen_ai.tool.type": "function",
    ...(id !== "" && { "gen_ai.tool.call.id": id }),
    ...(script !== undefined && { "skill.script": script }),
  };
}

function describeData(data: unknown): Described {
  const fields = new Map(Object.entries(typeof data === "object" && data !== null ? data : {}));
  const text = (name: string) => {
    const value: unknown = fields.get(name);
    return typeof value === "string" ? { [name]: value } : {};
  };
  const [ok, exitCode] = [fields.get("ok") as unknown, fields.get("exitCode") as unknown];
  return {
    id: "",
    ...text("id"),
    ...text("tool"),
    ...text("script"),
    ...text("skill"),
    ...text("digest"),
    ...text("code"),
    ...(typeof ok === "boolean" && { ok }),
    ...(typeof exitCode === "number" && { exitCode }),
  };
}

export interface TraceAuditOptions {
  /** `@opentelemetry/api`. Looked for when not given; without it nothing is traced. */
  readonly api?: TraceApi;
}

export async function traceAudit(audit: Audit, options: TraceAuditOptions = {}): Promise<Audit> {
  const api = options.api ?? (await openTrace());
  if (api === undefined) return audit;
  const spans = new AuditSpans(api);
  return {
    file: audit.file,
    redactor: audit.redactor,
    append(event): AuditRecord {
      const record = audit.append(event);
      orNothing(() => spans.add(record));
      return record;
    },
    sync: () => audit.sync(),
    close() {
      orNothing(() => spans.end());
      audit.close();
    },
  };
}

function orNothing(operation: () => void): void {
  try {
    operation();
  } catch {
    // A broken exporter must not stop a run.
  }
}
