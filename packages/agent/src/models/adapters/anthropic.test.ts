import { describe, expect, it } from "vitest";
import {
  message,
  messageEvent,
  messageEvents,
} from "../../../../../test/support/model-server/messages.ts";
import { modelRequest } from "../../../../../test/support/model-server/model-request.ts";
import {
  type Reply,
  type Script,
  startModelServer,
} from "../../../../../test/support/model-server/model-server.ts";
import {
  eventReply,
  jsonReply,
  SOME_USAGE,
} from "../../../../../test/support/model-server/scripted-answer.ts";
import { anthropic, type ModelContext, type ModelMessage, type ModelRequest } from "../../index.ts";
import type { AnthropicOptions } from "../../internal/index.ts";

const KEY = "sk-ant-0123456789";
const MARK = { cache_control: { type: "ephemeral" } };
const CALL = { id: "toolu_1", name: "search", input: { query: "数据 😀" } };

async function answerTo(
  scripts: readonly (Script | Reply)[],
  {
    request = modelRequest(),
    context,
    ...options
  }: Partial<AnthropicOptions> & { request?: ModelRequest; context?: ModelContext } = {},
) {
  const server = await startModelServer();
  server.answer(...scripts);
  const model = anthropic({
    baseUrl: `${server.url}/v1`,
    model: "m",
    apiKey: KEY,
    contextTokens: 8000,
    sampling: { maxOutputTokens: 400 },
    ...options,
  });
  const response = await model.decide(request, context);
  expect(JSON.stringify(response)).not.toContain(KEY);
  return { response, requests: server.requests };
}

describe("anthropic", () => {
  it("M-03 sends a Messages request", async () => {
    const request = modelRequest([
      { role: "user", content: "go" },
      { role: "assistant", content: "I look. ", calls: [CALL] },
      { role: "observation", content: "found", callId: CALL.id },
      { role: "user", content: "and now?" },
    ]);
    const { requests } = await answerTo([message({ text: "ok" })], { request });
    const [sent] = requests;
    expect(sent).toMatchObject({ method: "POST", path: "/v1/messages" });
    expect(sent?.headers).toMatchObject({ "x-api-key": KEY, "anthropic-version": "2023-06-01" });
    expect(sent?.headers).not.toHaveProperty("authorization");
    expect(sent?.text).not.toContain("never sent");
    expect(sent?.body).toEqual({
      model: "m",
      max_tokens: 400,
      stream: true,
      system: [{ type: "text", text: "You find things.", cache_control: { type: "ephemeral" } }],
      tools: request.actions.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: inputSchema,
      })),
      tool_choice: { type: "auto" },
      messages: [
        { role: "user", content: [{ type: "text", text: "go", ...MARK }] },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            { type: "tool_use", ...CALL },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: CALL.id, content: "found" },
            { type: "text", text: "and now?", ...MARK },
          ],
        },
      ],
    });
  });

  it.each([true, false])(
    "M-03 reads text, calls, usage and finish (stream: %s)",
    async (stream) => {
      const answer = { text: "Ich höre. 数据", calls: [CALL], usage: SOME_USAGE };
      const { response } = await answerTo([message(answer, { size: 5 })], { stream });
      expect(response).toMatchObject({
        ok: true,
        message: { text: "Ich höre. 数据", calls: [CALL] },
        finish: "calls",
        usage: {
          inputTokens: 19,
          outputTokens: 7,
          cacheReadTokens: 5,
          cacheWriteTokens: 3,
          calls: 1,
        },
      });
    },
  );

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["refusal", "refused"],
    ["pause_turn", "other"],
  ])("M-03 stop_reason %s is %s", async (finish, expected) => {
    for (const stream of [true, false]) {
      const { response } = await answerTo([message({ text: "x", finish })], { stream });
      expect(response).toMatchObject({ ok: true, finish: expected });
    }
  });

  it("M-03 a call that was cut off by the limit keeps what there is of its input", async () => {
    const events = messageEvents({ calls: [CALL], finish: "max_tokens" }).filter(
      (event) => !event.includes('}"'),
    );
    const { response } = await answerTo([eventReply(events.join(""))]);
    expect(response).toMatchObject({
      ok: true,
      finish: "length",
      message: { calls: [{ input: expect.stringContaining('{"query') }] },
    });
  });

  it("M-03 an error in the middle of a stream comes with the usage so far", async () => {
    const events = messageEvents({ text: "hello there", usage: SOME_USAGE });
    const error = { type: "overloaded_error", message: "Overloaded" };
    const reply = eventReply([...events.slice(0, 5), messageEvent("error", { error })].join(""));
    const { response } = await answerTo([reply]);
    expect(response).toMatchObject({
      ok: false,
      error: { code: "overloaded", retryable: true },
      usage: { inputTokens: 19, calls: 1 },
    });
  });

  it("M-03 thinking, pings and kinds of events to come are passed over", async () => {
    const thinking = { type: "thinking", thinking: "hm" };
    const events = messageEvents({ text: "hello" });
    events.splice(
      2,
      0,
      messageEvent("content_block_start", { index: 9, content_block: thinking }),
      messageEvent("content_block_delta", {
        index: 9,
        delta: { type: "thinking_delta", thinking: "x" },
      }),
      messageEvent("news", { text: "no" }),
    );
    const { response } = await answerTo([eventReply(events.join(""))]);
    expect(response).toMatchObject({ ok: true, message: { text: "hello", calls: [] } });
  });

  it("A-12 marks the system prompt and the last two messages of the user for the cache", async () => {
    const steps = [1, 2, 3].flatMap((step): ModelMessage[] => [
      { role: "assistant", content: "", calls: [{ ...CALL, id: `toolu_${step}` }] },
      { role: "observation", content: `found ${step}`, callId: `toolu_${step}` },
    ]);
    const request = modelRequest([{ role: "user", content: "go" }, ...steps]);
    const { requests } = await answerTo([message({ text: "ok" })], { request });
    expect(requests[0]?.text.match(/cache_control/g)).toHaveLength(3);
    expect(requests[0]?.body["messages"]).toMatchObject([
      {},
      {},
      {},
      {},
      { role: "user", content: [{ content: "found 2", ...MARK }] },
      {},
      { role: "user", content: [{ content: "found 3", ...MARK }] },
    ]);
  });

  it("A-12 a thought that was cut off is not sent back", async () => {
    const reasoning = [
      { provider: "anthropic", data: { type: "thinking", thinking: "hm", signature: "" } },
      { provider: "anthropic", data: { type: "redacted_thinking", data: "xyz" } },
    ];
    const request = modelRequest([
      { role: "user", content: "go" },
      { role: "assistant", content: "I look.", reasoning },
    ]);
    const { requests } = await answerTo([message({ text: "ok" })], { request });
    expect(requests[0]?.body["messages"]).toMatchObject([
      {},
      { content: [{ type: "redacted_thinking", data: "xyz" }, { text: "I look." }] },
      {},
    ]);
  });

  it("M-03 without actions it sends no tools, and earlier calls as text", async () => {
    const request = modelRequest(
      [
        { role: "user", content: "go" },
        { role: "assistant", content: "", calls: [CALL] },
      ],
      { actions: [] },
    );
    const { requests } = await answerTo([message({ text: "ok" })], { request });
    expect(requests[0]?.body).not.toHaveProperty("tools");
    expect(requests[0]?.text).not.toContain("tool_use");
  });

  it.each(["", "/", "/v1", "/v1/", "/proxy"])(
    "M-03 finds the endpoint below a base URL that ends with '%s'",
    async (path) => {
      const server = await startModelServer();
      server.answer(message({ text: "ok" }));
      const baseUrl = `${server.url}${path}`;
      const model = anthropic({ baseUrl, model: "m", apiKey: KEY, contextTokens: 8000 });
      await model.decide(modelRequest());
      const prefix = path === "/proxy" ? path : "";
      expect(server.requests).toMatchObject([{ path: `${prefix}/v1/messages` }]);
    },
  );

  it("M-03 names the variable when the key is not accepted", async () => {
    const { response } = await answerTo([jsonReply({ error: { message: `bad ${KEY}` } }, 401)]);
    expect(response).toMatchObject({
      ok: false,
      error: { code: "unauthorized", hint: expect.stringContaining("ANTHROPIC_API_KEY") },
    });
  });
});
