import { describe, expect, it } from "vitest";
import {
  contentEvents,
  generateContent,
} from "../../../../../test/support/model-server/generate-content.ts";
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
import { gemini, type ModelRequest } from "../../index.ts";
import type { GeminiOptions } from "../../internal/index.ts";

const KEY = "AIza-0123456789";
const CALL = { id: "call_1_0", name: "search", input: { query: "数据 😀" } };

async function answerTo(
  script: Script | Reply,
  {
    request = modelRequest(),
    ...options
  }: Partial<GeminiOptions> & { request?: ModelRequest } = {},
) {
  const server = await startModelServer();
  server.answer(script);
  const baseUrl = `${server.url}/v1beta`;
  const model = gemini({ model: "m", baseUrl, apiKey: KEY, contextTokens: 8000, ...options });
  const response = await model.decide(request);
  expect(JSON.stringify(response)).not.toContain(KEY);
  return { response, requests: server.requests };
}

describe("gemini", () => {
  it("M-03 sends a generateContent request", async () => {
    const request = modelRequest([
      { role: "user", content: "go" },
      { role: "assistant", content: "I look.", calls: [CALL, { ...CALL, id: "server-id" }] },
      { role: "observation", content: "found", callId: "call_1_0" },
      { role: "observation", content: "no such file", callId: "server-id", isError: true },
      { role: "user", content: "and now?" },
    ]);
    const { requests } = await answerTo(generateContent({ text: "ok" }), { request });
    const [sent] = requests;
    expect(sent).toMatchObject({
      method: "POST",
      path: "/v1beta/models/m:streamGenerateContent?alt=sse",
      headers: { "x-goog-api-key": KEY },
    });
    const called = { name: "search", args: CALL.input };
    expect(sent?.body).toEqual({
      systemInstruction: { parts: [{ text: "You find things." }] },
      contents: [
        { role: "user", parts: [{ text: "go" }] },
        {
          role: "model",
          parts: [
            { text: "I look." },
            { functionCall: called },
            { functionCall: { id: "server-id", ...called } },
          ],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { name: "search", response: { output: "found" } } },
            {
              functionResponse: {
                id: "server-id",
                name: "search",
                response: { error: "no such file" },
              },
            },
            { text: "and now?" },
          ],
        },
      ],
      tools: [
        {
          functionDeclarations: request.actions.map(({ name, description, inputSchema }) => ({
            name,
            description,
            parametersJsonSchema: inputSchema,
          })),
        },
      ],
      toolConfig: { functionCallingConfig: { mode: "AUTO" } },
      generationConfig: { maxOutputTokens: 500 },
    });
  });

  it.each([true, false])(
    "M-03 reads text, calls, usage and finish (stream: %s)",
    async (stream) => {
      const answer = { thought: "hm", text: "Ich höre. 数据", calls: [CALL], usage: SOME_USAGE };
      const { response, requests } = await answerTo(generateContent(answer, { size: 5 }), {
        stream,
      });
      expect(response).toMatchObject({
        ok: true,
        message: { text: "Ich höre. 数据", calls: [CALL] },
        finish: "calls",
        usage: {
          inputTokens: 16,
          outputTokens: 7,
          cacheReadTokens: 5,
          cacheWriteTokens: 0,
          calls: 1,
        },
      });
      const path = stream ? ":streamGenerateContent?alt=sse" : ":generateContent";
      expect(requests[0]?.path).toBe(`/v1beta/models/m${path}`);
    },
  );

  it.each([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "refused"],
    ["PROHIBITED_CONTENT", "refused"],
    ["MALFORMED_FUNCTION_CALL", "other"],
  ])("M-03 finishReason %s is %s", async (finish, expected) => {
    for (const stream of [true, false]) {
      const { response } = await answerTo(generateContent({ text: "x", finish }), { stream });
      expect(response).toMatchObject({ ok: true, finish: expected });
    }
  });

  it("M-03 a prompt that is blocked is a refusal", async () => {
    const { response } = await answerTo(jsonReply({ promptFeedback: { blockReason: "SAFETY" } }));
    expect(response).toMatchObject({ ok: true, finish: "refused", message: { text: "" } });
  });

  it("M-03 a stream that ends without a reason broke off", async () => {
    const events = contentEvents({ text: "hello there" }).split("data: ").slice(0, 3);
    const { response } = await answerTo(eventReply(events.join("data: ")));
    expect(response).toMatchObject({ ok: false, error: { code: "provider-failed" } });
  });

  const failure = (code: number, status: string, message: string, details: object[] = []) =>
    jsonReply({ error: { code, status, message, details } }, code);
  const wait = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34.07s" };
  const badKey = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" };

  it.each<[string, Reply, object]>([
    [
      "a quota with a delay",
      failure(429, "RESOURCE_EXHAUSTED", "Check your plan and billing details.", [wait]),
      { code: "rate-limited", retryable: true, retryAfterMs: 34_070 },
    ],
    [
      "a quota without one",
      failure(429, "RESOURCE_EXHAUSTED", "Check your plan and billing details."),
      { code: "rate-limited", retryable: false },
    ],
    [
      "a wrong key",
      failure(400, "INVALID_ARGUMENT", "API key not valid.", [badKey]),
      { code: "unauthorized", hint: expect.stringContaining("GEMINI_API_KEY") },
    ],
    [
      "too long a request",
      failure(
        400,
        "INVALID_ARGUMENT",
        "The input token count (9) exceeds the maximum number of tokens allowed (8).",
      ),
      { code: "context-overflow" },
    ],
    [
      "overload",
      failure(503, "UNAVAILABLE", "Overloaded."),
      { code: "overloaded", retryable: true },
    ],
    [
      "an error in the stream",
      eventReply('data: {"error":{"code":503,"status":"UNAVAILABLE","message":"x"}}\n\n'),
      { code: "overloaded", retryable: true },
    ],
  ])("M-03 %s is a value", async (_, reply, error) => {
    const { response } = await answerTo(reply);
    expect(response).toMatchObject({ ok: false, error, usage: { calls: 1 } });
  });

  it("M-03 without actions it sends no tools, and earlier calls as text", async () => {
    const messages = [
      { role: "user", content: "go" },
      { role: "assistant", content: "", calls: [CALL] },
    ] as const;
    const request = modelRequest(messages, { actions: [] });
    const { requests } = await answerTo(generateContent({ text: "ok" }), { request });
    expect(requests[0]?.body).not.toHaveProperty("tools");
    expect(requests[0]?.text).not.toContain("functionCall");
  });
});
