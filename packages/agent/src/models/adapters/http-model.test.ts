import fc from "fast-check";
import { getEventListeners } from "node:events";
import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { chatEvents } from "../../../../../test/support/model-server/chat-completions.ts";
import { contentEvents } from "../../../../../test/support/model-server/generate-content.ts";
import { messageEvents } from "../../../../../test/support/model-server/messages.ts";
import { modelRequest } from "../../../../../test/support/model-server/model-request.ts";
import {
  type ModelServer,
  type Reply,
  startModelServer,
} from "../../../../../test/support/model-server/model-server.ts";
import { eventReply, jsonReply } from "../../../../../test/support/model-server/scripted-answer.ts";
import { numRuns } from "../../../../../test/support/suite.ts";
import { anthropic, gemini, type Model, openAiCompatible } from "../../index.ts";
import type { HttpModelOptions } from "../../internal/index.ts";

const KEY = "sk-test-0123456789";

const dialects = [
  {
    name: "chat completions",
    make: (url: string, options: Partial<HttpModelOptions> = {}): Model =>
      openAiCompatible({ ...common(url), ...options }),
    stream: chatEvents({ text: "hello there" }),
  },
  {
    name: "Messages",
    make: (url: string, options: Partial<HttpModelOptions> = {}): Model =>
      anthropic({ ...common(url), ...options }),
    stream: messageEvents({ text: "hello there" }).join(""),
  },
  {
    name: "Gemini",
    make: (url: string, options: Partial<HttpModelOptions> = {}): Model =>
      gemini({ ...common(url), ...options }),
    stream: contentEvents({ text: "hello there" }),
  },
];

function common(url: string) {
  return { baseUrl: `${url}/v1`, model: "m", apiKey: KEY, contextTokens: 8000 };
}

describe.each(dialects)("httpModel ($name)", ({ make, stream }) => {
  async function errorOf(reply: Reply, options: Partial<HttpModelOptions> = {}) {
    const server = await startModelServer();
    server.answer(reply);
    const response = await make(server.url, options).decide(modelRequest());
    expect(JSON.stringify(response)).not.toContain(KEY);
    return response;
  }

  const failure = (code: string, retryable: boolean) => ({
    ok: false,
    error: { code, retryable },
    usage: { calls: 1 },
  });

  it("M-03 reports how long to wait, by the given clock", async () => {
    const headers = { "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" };
    const clock = () => Date.parse("2026-01-01T00:00:00Z");
    expect(await errorOf({ status: 429, headers, chunks: [] }, { clock })).toMatchObject({
      error: { code: "rate-limited", retryAfterMs: 9000 },
    });
  });

  it("M-03 a page from a proxy", async () => {
    const headers = { "content-type": "text/html" };
    const response = await errorOf({ headers, chunks: ["<html><body>Log in"] });
    expect(response).toMatchObject(failure("unreadable-answer", false));
    expect(response).toMatchObject({ error: { hint: expect.stringContaining("proxy") } });
  });

  it.each([
    ["half of a JSON text", '{"choices":[{"mess'],
    ["an empty body", ""],
    ["JSON of another kind", '{"hello":"world"}'],
    ["null", "null"],
    ["a list", "[1,2]"],
  ])("M-03 %s", async (_, text) => {
    const headers = { "content-type": "application/json" };
    expect(await errorOf({ headers, chunks: [text] })).toMatchObject(
      failure("unreadable-answer", true),
    );
  });

  it("M-03 a stream that breaks off, with the connection or without", async () => {
    const half = eventReply(stream.slice(0, stream.indexOf('ere"')));
    expect(await errorOf(half)).toMatchObject(failure("provider-failed", true));
    expect(await errorOf({ ...half, end: "broken" })).toMatchObject(
      failure("provider-failed", true),
    );
  });

  it("M-03 a connection may break after the answer is complete", async () => {
    expect(await errorOf({ ...eventReply(stream), end: "broken" })).toMatchObject({
      ok: true,
      message: { text: "hello there" },
    });
  });

  it("M-03 an event that is not JSON", async () => {
    expect(await errorOf(eventReply('data: {"a"\n\n'))).toMatchObject(
      failure("unreadable-answer", true),
    );
  });

  it("M-03 an error in an answer that says it is fine", async () => {
    const error = { message: "slow down", code: 429, type: "rate_limit_error" };
    expect(await errorOf(jsonReply({ error }))).toMatchObject(failure("rate-limited", true));
    const event = eventReply(`data: ${JSON.stringify({ type: "error", error })}\n\n`);
    expect(await errorOf(event)).toMatchObject(failure("rate-limited", true));
  });

  it("M-03 a huge body is not read to its end", async () => {
    const chunks = Array.from({ length: 17 }, () => "x".repeat(1024 * 1024));
    for (const type of ["application/json", "text/event-stream"]) {
      const reply = { headers: { "content-type": type }, chunks, end: "never" as const };
      expect(await errorOf(reply)).toMatchObject(failure("unreadable-answer", false));
    }
    const reply = { status: 400, chunks: Array.from({ length: 8 }, () => "x".repeat(16_384)) };
    expect(await errorOf({ ...reply, end: "never" })).toMatchObject(
      failure("refused-request", false),
    );
  });

  it.each([301, 302, 303, 307, 308])(
    "P-04 status %i: the key goes nowhere else",
    async (status) => {
      const other = await startModelServer();
      other.answer(eventReply(stream));
      const response = await errorOf({ status, headers: { location: other.url }, chunks: [] });
      expect(response).toMatchObject(failure("refused-request", false));
      expect(other.requests).toEqual([]);
    },
  );

  it("M-03 nothing listens at the address", async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const options = { unreachableHint: "Is Ollama running?" };
    expect(await make(url, options).decide(modelRequest())).toMatchObject({
      ok: false,
      error: {
        code: "unreachable",
        message: expect.stringContaining("ECONNREFUSED"),
        hint: "Is Ollama running?",
        retryable: false,
      },
    });
  });

  it("M-03 the connection is closed before an answer", async () => {
    const server = createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const response = await make(`http://127.0.0.1:${port}`).decide(modelRequest());
    server.close();
    expect(response).toMatchObject(failure("unreachable", true));
  });

  it("M-03 ends with the signal: before and in the middle of a stream", async () => {
    const server = await startModelServer();
    const model = make(server.url);
    const before = await model.decide(modelRequest(), { signal: AbortSignal.abort() });
    expect(before).toMatchObject({ ok: false, error: { code: "canceled" }, usage: { calls: 0 } });
    expect(server.requests).toEqual([]);

    server.answer({ ...eventReply(stream.slice(0, stream.indexOf('ere"'))), end: "never" });
    const middle = new AbortController();
    const onText = () => middle.abort();
    expect(await model.decide(modelRequest(), { signal: middle.signal, onText })).toMatchObject({
      ok: false,
      error: { code: "canceled", retryable: false },
    });
    await server.clientLeft;
  });

  it("M-03 leaves no listener on the signal of a long run", async () => {
    const server = await startModelServer();
    server.answer(eventReply(stream));
    const { signal } = new AbortController();
    const model = make(server.url);
    for (let round = 0; round < 20; round++) await model.decide(modelRequest(), { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("M-03 ends with the signal while nothing comes", async () => {
    const server: ModelServer = await startModelServer();
    const waiting = new AbortController();
    server.answer(() => {
      waiting.abort();
      return { chunks: [], end: "never" };
    });
    expect(await make(server.url).decide(modelRequest(), { signal: waiting.signal })).toMatchObject(
      { ok: false, error: { code: "canceled" } },
    );
  });

  it.each(["sk-a\nb", "sk a", "sk-ü", "“sk”"])(
    "P-04 a key such as %j is not shown",
    async (apiKey) => {
      const server = await startModelServer();
      const response = await make(server.url, { apiKey }).decide(modelRequest());
      expect(response).toMatchObject({ ok: false, error: { code: "unauthorized" } });
      expect(JSON.stringify(response)).not.toContain(JSON.stringify(apiKey).slice(1, -1));
      expect(server.requests).toEqual([]);
    },
  );

  it("P-04 what fetch throws is not shown", async () => {
    const fetch = () => Promise.reject(new TypeError(`bad header Bearer ${KEY}`));
    const response = await make("https://h.example", { fetch }).decide(modelRequest());
    expect(response).toMatchObject({ ok: false, error: { code: "unreachable" } });
    expect(JSON.stringify(response)).not.toContain(KEY);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => void server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

const TEXT = "数据 \u{1f600} hi";
const STREAM = chatEvents({ text: TEXT });
const MIB = 1024 * 1024;

interface Served {
  readonly type?: string;
  readonly repeat?: number;
}

/** What a model makes of a stream that comes in these pieces, and how many of them it took. */
async function ask(
  pieces: readonly (string | Uint8Array)[],
  { type = "text/event-stream", repeat = 1 }: Served = {},
) {
  const chunks = pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece) : piece));
  let taken = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[taken % chunks.length];
      if (taken++ >= chunks.length * repeat || chunk === undefined) controller.close();
      else controller.enqueue(chunk);
    },
  });
  const model = openAiCompatible({
    baseUrl: "https://h.example/v1",
    model: "m",
    apiKey: "sk-test-0123456789",
    contextTokens: 8000,
    fetch: async () => new Response(body, { headers: { "content-type": type } }),
  });
  return { response: await model.decide(modelRequest()), taken };
}

const answered = { ok: true, message: { text: TEXT } };

function bytesOf(text: string): Uint8Array[] {
  return Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte));
}

describe("event streams", () => {
  it.each(["\n", "\r\n", "\r"])("M-03 lines end with %j, however they are cut", async (end) => {
    const stream = STREAM.replaceAll("\n", end);
    expect((await ask([stream])).response).toMatchObject(answered);
    expect((await ask(bytesOf(stream))).response).toMatchObject(answered);
  });

  it("M-03 skips comments, names, ids, retry times and unknown fields", async () => {
    const noise = ": hello\nevent: a\nid: 7\nretry: 5\nretry: soon\nother: 1\nword\n\n\n";
    const stream = STREAM.replaceAll("\n\n", `\n\n${noise}`);
    expect((await ask([noise, stream])).response).toMatchObject(answered);
    expect((await ask(bytesOf(noise + stream))).response).toMatchObject(answered);
  });

  it("M-03 data may have several lines, a space less, and a byte order mark before it", async () => {
    const split = STREAM.replaceAll(',"choices"', '\ndata:,"choices"');
    expect(split).not.toBe(STREAM);
    expect((await ask([`\ufeff${split}`])).response).toMatchObject(answered);
  });

  it("M-03 takes the last event also without an empty line behind it", async () => {
    for (const end of ["", "\n", "\r"]) {
      const stream = STREAM.replace("data: [DONE]\n\n", "").trimEnd() + end;
      expect((await ask([stream])).response).toMatchObject(answered);
    }
  });

  it("M-03 gives the same answer however bytes are cut and lines end", async () => {
    const events = STREAM.split("\n\n");
    const ends = fc.array(fc.constantFrom("\n\n", "\r\n\r\n", "\r\r"), {
      minLength: events.length,
    });
    await fc.assert(
      fc.asyncProperty(ends, fc.array(fc.nat(2000), { maxLength: 20 }), async (all, places) => {
        const bytes = Buffer.from(events.map((event, i) => event + (all[i] ?? "")).join(""));
        const cuts = [0, ...places.map((at) => Math.min(at, bytes.length)), bytes.length];
        cuts.sort((a, b) => a - b);
        const pieces = cuts.slice(1).map((end, i) => bytes.subarray(cuts[i], end));
        expect((await ask(pieces.filter(({ length }) => length > 0))).response).toMatchObject(
          answered,
        );
      }),
      { numRuns: numRuns(500) },
    );
  });

  it.each([
    ["one line", [`data: ${"x".repeat(64 * 1024)}`], ["x".repeat(64 * 1024)]],
    ["many lines", ["data: a\n"], [`data: ${"x".repeat(64 * 1024)}\n`]],
  ])("M-03 reads no event to its end that is too long: %s", async (_, start, more) => {
    const { response, taken } = await ask(more, { repeat: 200 });
    const first = await ask([...start, ...more], { repeat: 100 });
    for (const one of [response, first.response]) {
      expect(one).toMatchObject({
        ok: false,
        error: { code: "unreadable-answer", retryable: false },
      });
    }
    expect(taken).toBeLessThan(100);
  });

  it("M-03 takes no event that is too long, even in one piece", async () => {
    const { response } = await ask([`data: "${"x".repeat(5 * MIB)}"\n\n${STREAM}`]);
    expect(response).toMatchObject({
      ok: false,
      error: {
        code: "unreadable-answer",
        message: "the response from h.example has too long an event",
      },
    });
  });

  it("M-03 gives up on text that is not an event stream", async () => {
    const { response, taken } = await ask(["x\n".repeat(1000)], { repeat: 1000 });
    expect(response).toMatchObject({
      ok: false,
      error: {
        code: "unreadable-answer",
        message: "the response from h.example is not an event stream",
      },
    });
    expect(taken).toBeLessThan(100);
  });

  it("M-03 line ends of both kinds take no longer than those of one", async () => {
    // Searched anew for each line, these would take hours.
    const ends = `${"\n".repeat(4 * MIB)}\r`;
    const { response } = await ask([`data: {}\n\n${ends}${STREAM}`], { type: "text/other" });
    expect(response).toMatchObject(answered);
  });
});
