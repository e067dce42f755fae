import { describe, expect, it } from "vitest";
import {
  type Audit,
  type AuditEvent,
  type AuditRecord,
  createRedactor,
  type TraceApi,
} from "../index.ts";
import { type Attributes, type Span, traceAudit } from "./index.ts";

interface FakeSpan {
  readonly name: string;
  readonly parent: string | undefined;
  readonly attributes: Record<string, unknown>;
  readonly events: string[];
  status?: unknown;
  ended?: string | undefined;
}

function fakeApi() {
  const spans: FakeSpan[] = [];
  const of = new WeakMap<Span, FakeSpan>();
  const startSpan = (
    name: string,
    { attributes }: { attributes: Attributes },
    context: unknown,
  ) => {
    const { span: parent } = context as { span?: Span };
    const fake: FakeSpan = {
      name,
      parent: parent === undefined ? undefined : of.get(parent)?.name,
      attributes: { ...attributes },
      events: [],
    };
    const span: Span = {
      setAttributes: (more) => Object.assign(fake.attributes, more),
      addEvent: (event) => fake.events.push(event),
      setStatus: (status) => (fake.status = status),
      end: (time) => (fake.ended = time?.toISOString() ?? "now"),
    };
    of.set(span, fake);
    spans.push(fake);
    return span;
  };
  const api: TraceApi = {
    trace: { getTracer: () => ({ startSpan }), setSpan: (_, span) => ({ span }) },
    context: { active: () => ({}) },
    SpanStatusCode: { ERROR: 2 },
  };
  return { api, spans };
}

function fakeAudit(): Audit & { readonly events: AuditEvent[] } {
  const events: AuditEvent[] = [];
  return {
    file: "/audit.jsonl",
    redactor: createRedactor({ env: {} }),
    events,
    append(event): AuditRecord {
      events.push(event);
      const time = new Date(events.length * 1000).toISOString();
      const links = { previous: "", hash: "" };
      return { schemaVersion: 1, sequence: events.length, time, data: null, ...event, ...links };
    },
    sync() {},
    close() {},
  };
}

describe("tracing", () => {
  it("P-04 makes a span of each run, tool call and script, with its skill", async () => {
    const { api, spans } = fakeApi();
    const audit = await traceAudit(fakeAudit(), { api });
    audit.append({ event: "run-start", data: { id: "run-1" } });
    audit.append({ event: "skill-activate", data: { skill: "pdf", digest: "sha256:1" } });
    audit.append({ event: "tool-call", data: { id: "c1", tool: "run_script", args: ["private"] } });
    audit.append({ event: "script-start", data: { id: "s1", script: "a.py", skill: "pdf" } });
    audit.append({ event: "script-end", data: { id: "s1", exitCode: 3 } });
    audit.append({ event: "tool-end", data: { id: "c1", ok: true } });
    audit.append({ event: "run-end", data: { id: "run-1" } });
    const skill = { "skill.name": "pdf", "skill.digest": "sha256:1" };
    const tool = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.type": "function" };
    expect(spans).toEqual([
      {
        name: "invoke_agent",
        parent: undefined,
        attributes: {
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.conversation.id": "run-1",
          "skillwright.audit.sequence": 1,
        },
        events: ["skill-activate"],
        ended: "1970-01-01T00:00:07.000Z",
      },
      {
        name: "execute_tool run_script",
        parent: "invoke_agent",
        attributes: {
          ...skill,
          ...tool,
          "gen_ai.tool.name": "run_script",
          "gen_ai.tool.call.id": "c1",
          "skillwright.audit.sequence": 3,
        },
        events: [],
        ended: "1970-01-01T00:00:06.000Z",
      },
      {
        name: "execute_tool run_script",
        parent: "execute_tool run_script",
        attributes: {
          ...skill,
          ...tool,
          "gen_ai.tool.name": "run_script",
          "gen_ai.tool.call.id": "s1",
          "skill.script": "a.py",
          "process.exit.code": 3,
          "error.type": "exit-3",
          "skillwright.audit.sequence": 4,
        },
        events: [],
        status: { code: 2, message: "exit-3" },
        ended: "1970-01-01T00:00:05.000Z",
      },
    ]);
    expect(JSON.stringify(spans)).not.toContain("private");
  });

  it("P-04 ends what was interrupted", async () => {
    const { api, spans } = fakeApi();
    const audit = await traceAudit(fakeAudit(), { api });
    audit.append({ event: "tool-call", data: { id: "c1", tool: "read_file" } });
    audit.close();
    expect(spans).toMatchObject([{ ended: "now", attributes: { "error.type": "interrupted" } }]);
  });

  it("P-04 never keeps a record from being written, nor makes a span of what was not", async () => {
    const { api, spans } = fakeApi();
    const broken = {
      ...api,
      context: {
        active: () => {
          throw new Error("no");
        },
      },
    };
    const inner = fakeAudit();
    const audit = await traceAudit(inner, { api: broken });
    audit.append({ event: "tool-call", data: null });
    expect(inner.events).toHaveLength(1);
    const full = {
      ...fakeAudit(),
      append: () => {
        throw new Error("disk full");
      },
    };
    const traced = await traceAudit(full, { api });
    expect(() => traced.append({ event: "tool-call" })).toThrow("disk full");
    expect(spans).toEqual([]);
  });

  it("P-04 finds the API that a host installed, and does without", async () => {
    const inner = fakeAudit();
    const audit = await traceAudit(inner);
    audit.append({ event: "tool-call", data: { tool: "x" } });
    audit.close();
    expect(inner.events).toHaveLength(1);
  });
});
