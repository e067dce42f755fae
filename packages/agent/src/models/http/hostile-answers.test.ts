import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chatEvents } from "../../../../../test/support/model-server/chat-completions.ts";
import { contentEvents } from "../../../../../test/support/model-server/generate-content.ts";
import { messageEvents } from "../../../../../test/support/model-server/messages.ts";
import { modelRequest } from "../../../../../test/support/model-server/model-request.ts";
import { numRuns } from "../../../../../test/support/suite.ts";
import { anthropic, gemini, type ModelMessage, openAiCompatible } from "../../index.ts";

const KEY = "sk-test-0123456789";
const common = { baseUrl: "https://h.example/v1", model: "m", apiKey: KEY, contextTokens: 1000 };

const WORDS = `type choices delta message content tool_calls function name arguments id index usage
  error finish_reason content_block input text stop __proto__ constructor tool_use message_start
  content_block_start thinking signature reasoning_details candidates parts functionCall args
  thoughtSignature finishReason promptFeedback usageMetadata ${KEY}`;
const words = fc.constantFrom(...WORDS.split(/\s+/));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.oneof(words, fc.string(), fc.double(), fc.boolean(), fc.constant(null), fc.constant(0)),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(words, tie("value"), { maxKeys: 5 }),
  ),
}));

/** Right answers with pieces put in, taken out or turned around. */
const damaged = fc
  .record({
    text: fc.constantFrom(
      chatEvents({ text: "hi", calls: [{ id: "a", name: "search", input: { query: "x" } }] }),
      messageEvents({ text: "hi", calls: [{ id: "a", name: "search", input: {} }] }).join(""),
      contentEvents({ thought: "hm", text: "hi", calls: [{ id: "", name: "search", input: {} }] }),
    ),
    at: fc.nat(2000),
    length: fc.nat(40),
    put: fc.oneof(fc.string(), fc.constantFrom("\n\n", "\r", "data: ", "[DONE]", "null", "{", '"')),
  })
  .map(({ text, at, length, put }) => text.slice(0, at) + put + text.slice(at + length));

const bodies = fc.oneof(
  value.map((one) => JSON.stringify(one)),
  fc
    .array(value, { maxLength: 4 })
    .map((all) => all.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("")),
  damaged,
  fc.string({ unit: "binary" }),
);

const replies = fc.record({
  body: bodies,
  status: fc.oneof({ weight: 4, arbitrary: fc.constant(200) }, fc.integer({ min: 201, max: 599 })),
  type: fc.constantFrom("text/event-stream", "application/json", "text/html", "x"),
});

type Reply = { body: string; status: number; type: string };

function replying({ body, status, type }: Reply): typeof globalThis.fetch {
  const isEmpty = status === 204 || status === 205 || status === 304;
  return async () =>
    new Response(isEmpty ? null : body, { status, headers: { "content-type": type } });
}

type Fetch = typeof globalThis.fetch;

describe.each([
  ["chat completions", (fetch: Fetch) => openAiCompatible({ ...common, fetch })],
  ["Messages", (fetch: Fetch) => anthropic({ ...common, fetch })],
  ["Gemini", (fetch: Fetch) => gemini({ ...common, fetch })],
])("hostile answers (%s)", (_, make) => {
  it("M-03 nothing that a service sends makes it throw, and what it gives can be sent again", async () => {
    await fc.assert(
      fc.asyncProperty(replies, async (reply) => {
        const model = make(replying(reply));
        const response = await model.decide(modelRequest());
        expect(response.usage.calls).toBeGreaterThanOrEqual(1);
        const message = response.ok ? response.message : { text: "", calls: [] };
        const error = response.ok ? "" : JSON.stringify(response.error);
        expect(error).not.toContain(KEY);
        const { text, ...rest } = message;
        const next: ModelMessage[] = [{ role: "assistant", content: text, ...rest }];
        expect(JSON.parse(JSON.stringify(response))).toMatchObject({ ok: response.ok });
        await model.decide(modelRequest(next));
      }),
      { numRuns: numRuns(600) },
    );
  });
});
