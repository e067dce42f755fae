import { openAiCompatible } from "@skillwright/agent";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatEvents } from "../../../../../test/support/model-server/chat-completions.ts";
import { modelRequest } from "../../../../../test/support/model-server/model-request.ts";
import { numRuns } from "../../../../../test/support/suite.ts";

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
        message: "the answer of h.example has too long an event",
      },
    });
  });

  it("M-03 gives up on what is not a stream of events", async () => {
    const { response, taken } = await ask(["x\n".repeat(1000)], { repeat: 1000 });
    expect(response).toMatchObject({
      ok: false,
      error: {
        code: "unreadable-answer",
        message: "the answer of h.example is not an event stream",
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
