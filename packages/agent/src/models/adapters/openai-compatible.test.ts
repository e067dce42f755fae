import { describe, expect, it } from "vitest";
import {
  chatBody,
  chatChunk,
  chatCompletion,
  chatEvents,
} from "../../../../../test/support/model-server/chat-completions.ts";
import { modelRequest } from "../../../../../test/support/model-server/model-request.ts";
import {
  type ModelServer,
  type Reply,
  type Script,
  startModelServer,
} from "../../../../../test/support/model-server/model-server.ts";
import {
  eventReply,
  jsonReply,
  SOME_USAGE,
} from "../../../../../test/support/model-server/scripted-answer.ts";
import { type ModelContext, type ModelMessage, openAiCompatible } from "../../index.ts";
import type { OpenAiCompatibleOptions } from "../../internal/index.ts";

const KEY = "sk-test-0123456789";
const CALL = { id: "call_a", name: "search", input: { query: "数据 😀" } };

function modelOf(server: ModelServer, options: Partial<OpenAiCompatibleOptions> = {}) {
  const baseUrl = `${server.url}/v1`;
  return openAiCompatible({ baseUrl, model: "m", apiKey: KEY, contextTokens: 8000, ...options });
}

async function answerTo(
  scripts: readonly (Script | Reply)[],
  options: Partial<OpenAiCompatibleOptions> = {},
  context?: ModelContext,
) {
  const server = await startModelServer();
  server.answer(...scripts);
  const response = await modelOf(server, options).decide(modelRequest(), context);
  expect(JSON.stringify(response)).not.toContain(KEY);
  return { response, requests: server.requests };
}

const refusal = (message: string, status = 400) => jsonReply({ error: { message } }, status);

describe("openAiCompatible", () => {
  it("M-03 sends a chat completions request without the view", async () => {
    const { requests } = await answerTo([chatCompletion({ text: "ok" })], {
      sampling: { maxOutputTokens: 99 },
    });
    const [request] = requests;
    expect(request).toMatchObject({ method: "POST", path: "/v1/chat/completions" });
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      "content-type": "application/json",
    });
    expect(request?.body).toMatchObject({
      model: "m",
      stream: true,
      max_tokens: 99,
      stream_options: { include_usage: true },
      tool_choice: "auto",
      tools: [{ type: "function", function: { name: "search" } }, {}],
      messages: [
        { role: "system", content: "You find things." },
        { role: "user", content: "Find the 数据 file." },
      ],
    });
    expect(request?.text).not.toContain("never sent");
    expect(request?.body).not.toHaveProperty("parallel_tool_calls");
  });

  it.each([true, false])(
    "M-03 reads text, calls, usage and finish (stream: %s)",
    async (stream) => {
      const answer = { text: "Ich höre. 数据", calls: [CALL], usage: SOME_USAGE };
      const { response } = await answerTo([chatCompletion(answer, { size: 3 })], { stream });
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
    },
  );

  it("M-03 streams the text", async () => {
    const texts: string[] = [];
    const onText = (text: string) => void texts.push(text);
    await answerTo([chatCompletion({ text: "one two three" })], {}, { onText });
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.join("")).toBe("one two three");
  });

  it.each([
    ["stop", "stop"],
    ["length", "length"],
    ["content_filter", "refused"],
    ["something", "other"],
  ])("M-03 finish_reason %s is %s", async (finish, expected) => {
    const { response } = await answerTo([chatCompletion({ text: "x", finish })]);
    expect(response).toMatchObject({ ok: true, finish: expected });
  });

  describe("M-03 takes endpoints as they are", () => {
    const call = (fields: object, ...more: object[]) =>
      [
        ...[fields, ...more].map((one) => chatChunk({ delta: { tool_calls: [one] } })),
        chatChunk({ delta: {}, finish_reason: "stop" }),
      ].join("");
    const named = (name: string, given: unknown) => ({ function: { name, arguments: given } });
    const x = { query: "x" };

    it.each<[string, string, readonly object[]]>([
      [
        "no id",
        call({ index: 0, ...named("search", '{"query":"x"}') }),
        [{ id: "call_1_0", input: x }],
      ],
      ["an empty id", call({ index: 0, id: "", ...named("search", "{}") }), [{ id: "call_1_0" }]],
      [
        "arguments as an object",
        call({ index: 0, id: "a", ...named("search", x) }),
        [{ input: x }],
      ],
      ["no arguments", call({ index: 0, id: "a", function: { name: "search" } }), [{ input: {} }]],
      [
        "arguments that are no JSON",
        call({ id: "a", ...named("search", "{x") }),
        [{ input: "{x" }],
      ],
      [
        "no index",
        call({ id: "a", ...named("search", '{"query"') }, { function: { arguments: ':"x"}' } }),
        [{ id: "a", input: x }],
      ],
      [
        "several calls with index 0",
        call(
          { index: 0, id: "a", ...named("search", "{}") },
          { index: 0, id: "b", ...named("search", "{}") },
        ),
        [{ id: "a" }, { id: "b" }],
      ],
      [
        "the id again in each piece",
        call(
          { index: 0, id: "a", ...named("search", '{"query"') },
          { index: 0, id: "a", function: { arguments: ':"x"}' } },
        ),
        [{ id: "a", input: x }],
      ],
      [
        "one that is malformed beside another",
        call(
          { index: 0, id: "a", ...named("search", '{"query":') },
          { index: 1, id: "b", ...named("search", '{"query":"x"}') },
        ),
        [
          { id: "a", input: '{"query":' },
          { id: "b", input: x },
        ],
      ],
      [
        "pieces of two calls by turns",
        call(
          { index: 0, id: "a", ...named("search", '{"query"') },
          { index: 1, id: "b", ...named("search", "{") },
          { index: 0, function: { arguments: ':"x"}' } },
          { index: 1, function: { arguments: "}" } },
        ),
        [
          { id: "a", input: x },
          { id: "b", input: {} },
        ],
      ],
    ])("calls with %s", async (_, events, calls) => {
      const { response } = await answerTo([eventReply(`${events}data: [DONE]\n\n`)]);
      expect(response).toMatchObject({ ok: true, finish: "calls", message: { calls } });
      expect(response.ok && response.message.calls).toHaveLength(calls.length);
    });

    it.each([
      ["lines that end in CRLF", chatEvents({ text: "hello" }).replaceAll("\n", "\r\n")],
      ["comments", chatEvents({ text: "hello" }).replaceAll("data:", ": still here\n\ndata:")],
      ["no [DONE]", chatEvents({ text: "hello" }).replace("data: [DONE]\n\n", "")],
      ["no last line end", chatEvents({ text: "hello" }).trimEnd()],
      [
        "content as parts",
        chatChunk({ delta: { content: [{ type: "text", text: "hello" }] }, finish_reason: "stop" }),
      ],
      [
        "reasoning",
        chatChunk({ delta: { content: null, reasoning: "hm", reasoning_content: "hm" } }) +
          chatEvents({ text: "hello" }),
      ],
      [
        "other choices",
        chatChunk({ index: 1, delta: { content: "no" } }) + chatEvents({ text: "hello" }),
      ],
      [
        "pieces without choices",
        `data: {"id":"x"}\n\ndata: null\n\n${chatEvents({ text: "hello" })}`,
      ],
    ])("a stream with %s", async (_, events) => {
      const { response } = await answerTo([eventReply(events, 7)]);
      expect(response).toMatchObject({ ok: true, message: { text: "hello" }, usage: { calls: 1 } });
    });

    it("a stream that says it is something else, and JSON where a stream was asked for", async () => {
      const wrong = {
        ...eventReply(chatEvents({ text: "hello" })),
        headers: { "content-type": "text/plain" },
      };
      const whole = jsonReply(chatBody({ text: "hello" }));
      for (const reply of [wrong, whole, { chunks: whole.chunks }]) {
        const { response } = await answerTo([reply]);
        expect(response).toMatchObject({ ok: true, message: { text: "hello" } });
      }
    });

    it("a refusal in a field of its own", async () => {
      const message = { content: null, refusal: "I will not." };
      const { response } = await answerTo([
        jsonReply({ choices: [{ message, finish_reason: "stop" }] }),
      ]);
      expect(response).toMatchObject({
        ok: true,
        finish: "refused",
        message: { text: "I will not." },
      });
    });
  });

  describe("M-03 learns what an endpoint refuses, once", () => {
    it.each([
      ["stream_options", "Unrecognized request argument supplied: stream_options"],
      ["tool_choice", "Invalid tool_choice: auto"],
    ])("%s", async (field, message) => {
      const server = await startModelServer();
      server.answer(({ body }) => (field in body ? refusal(message) : chatEventsReply()));
      const model = modelOf(server);
      expect(await model.decide(modelRequest())).toMatchObject({ ok: true, usage: { calls: 2 } });
      expect(await model.decide(modelRequest())).toMatchObject({ ok: true, usage: { calls: 1 } });
      expect(server.requests.map(({ body }) => field in body)).toEqual([true, false, false]);
    });

    it("max_tokens", async () => {
      const message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.";
      const { requests } = await answerTo([refusal(message), chatEventsReply()]);
      expect(requests[1]?.body).toMatchObject({ max_completion_tokens: 500 });
      expect(requests[1]?.body).not.toHaveProperty("max_tokens");
    });

    it("tools, and then reads decisions from JSON and passes them on as calls", async () => {
      const server = await startModelServer();
      const text = '{"action":"search","query":"x"}';
      server.answer(({ body }) =>
        "tools" in body ? refusal("m does not support tools") : chatEventsReply(text),
      );
      const model = modelOf(server);
      const texts: string[] = [];
      const messages: ModelMessage[] = [
        { role: "user", content: "go" },
        { role: "assistant", content: "", calls: [CALL] },
        { role: "observation", content: "found it", callId: CALL.id },
      ];
      const context = { onText: (piece: string) => void texts.push(piece) };
      const response = await model.decide(modelRequest(messages), context);
      expect(response).toMatchObject({
        ok: true,
        finish: "calls",
        message: { text: "", calls: [{ id: "call_3_0", name: "search", input: { query: "x" } }] },
        usage: { calls: 2 },
      });
      expect(model.protocol).toBe("tools");
      expect(texts).toEqual([]);
      const body = server.requests[1]?.body ?? {};
      expect(body).toMatchObject({ response_format: { type: "json_schema" } });
      expect(body["messages"]).toMatchObject([
        { role: "system", content: expect.stringContaining("exactly one JSON object") },
        { role: "user", content: "go" },
        { role: "assistant", content: JSON.stringify({ action: "search", ...CALL.input }) },
        {
          role: "user",
          content: '<tool_result tool="search">\nfound it\n</tool_result>',
        },
      ]);
      await model.decide(modelRequest());
      expect(server.requests).toHaveLength(3);
    });

    it("tools, schemas and JSON at all: the answer is taken from the text", async () => {
      const server = await startModelServer();
      server.answer(({ body }) => {
        if ("tools" in body) return refusal("No endpoints found that support tool use", 404);
        if ("response_format" in body) return refusal("response_format is not supported");
        return chatEventsReply('```json\n{"action":"final_answer","answer":"42"}\n```');
      });
      expect(await modelOf(server).decide(modelRequest())).toMatchObject({
        ok: true,
        message: { calls: [{ name: "final_answer", input: { answer: "42" } }] },
        usage: { calls: 4 },
      });
    });

    it.each([
      ["broken JSON", 'I do it: {"action":"search","query":"x"'],
      ["prose with braces", "It says {not json}"],
    ])("A-11 tools, and %s is then refused, not taken for the answer", async (_, text) => {
      const [search] = modelRequest().actions;
      const server = await startModelServer();
      server.answer(({ body }) =>
        "tools" in body ? refusal("m does not support tools") : chatEventsReply(text),
      );
      const texts: string[] = [];
      const response = await modelOf(server).decide(
        modelRequest(undefined, { actions: search ? [search] : [] }),
        { onText: (piece) => void texts.push(piece) },
      );
      expect(response).toMatchObject({
        message: { text: "", calls: [{ name: "final_answer", input: [text] }] },
      });
      expect(texts).toEqual([]);
    });

    it("A-11 tools, and use_tool is understood for what is then a tool of its name", async () => {
      const written = { action: "use_tool", tool: "search", input: { query: "x" } };
      const server = await startModelServer();
      server.answer(({ body }) =>
        "tools" in body
          ? refusal("m does not support tools")
          : chatEventsReply(`Now: ${JSON.stringify(written)}`),
      );
      const { action: _, ...input } = written;
      expect(await modelOf(server).decide(modelRequest())).toMatchObject({
        message: { calls: [{ name: "use_tool", input }] },
      });
    });

    it("A-11 tools, and then takes an answer from JSON where no action is for answers", async () => {
      const [search] = modelRequest().actions;
      const request = modelRequest(undefined, { actions: search ? [search] : [] });
      const fenced = 'Here it is.\n\n```json\n{"action":"final_answer","answer":"42"}\n```';
      for (const [text, expected] of [
        ['{"action":"final_answer","answer":"42"}', "42"],
        [fenced, "42"],
        ['It is {"action":"final_answer","answer":"42"} as you see.', "42"],
        ["Just 42.", "Just 42."],
      ] as const) {
        const server = await startModelServer();
        server.answer(({ body }) =>
          "tools" in body ? refusal("m does not support tools") : chatEventsReply(text),
        );
        const texts: string[] = [];
        const context = { onText: (piece: string) => void texts.push(piece) };
        expect(await modelOf(server).decide(request, context)).toMatchObject({
          ok: true,
          finish: "stop",
          message: { text: expected, calls: [] },
        });
        expect(texts).toEqual([expected]);
        expect(server.requests[1]?.text).toContain("final_answer");
      }
    });

    it.each([
      'The file has {"a":1} in it.',
      '{"action":"search"} or {"action":"search","query":"x"}',
      '[{"action":"search"},{"action":"search","query":"x"}]',
      "Action: search\nAction Input: x",
    ])("A-11 tools; %s is then no answer, but a call that cannot be made", async (text) => {
      const [search] = modelRequest().actions;
      const request = modelRequest(undefined, { actions: search ? [search] : [] });
      const server = await startModelServer();
      server.answer(({ body }) =>
        "tools" in body ? refusal("m does not support tools") : chatEventsReply(text),
      );
      expect(await modelOf(server).decide(request)).toMatchObject({
        ok: true,
        message: { text: "", calls: [{ name: "final_answer", input: [text] }] },
      });
    });

    it.each([
      ["reasoning_content", "Extra inputs are not permitted: reasoning_content", "image_url"],
      ["image_url", "m is not a multimodal model", "1 image left out"],
    ])("A-12 %s in messages", async (field, message, kept) => {
      const server = await startModelServer();
      server.answer(({ text }) => (text.includes(field) ? refusal(message) : chatEventsReply()));
      const reasoning = [{ provider: "openai-compatible", data: { reasoning_content: "hm" } }];
      const messages: ModelMessage[] = [
        { role: "user", content: "go", images: [{ mediaType: "image/png", data: "AAAA" }] },
        { role: "assistant", content: "", calls: [CALL], reasoning },
      ];
      const response = await modelOf(server).decide(modelRequest(messages));
      expect(response).toMatchObject({ ok: true, usage: { calls: 2 } });
      expect(server.requests[1]?.text).toContain(kept);
    });

    it("but not against what the options say, and not after other refusals", async () => {
      const fixed = await answerTo([refusal("no tools here")], { structured: "tools" });
      expect(fixed.response).toMatchObject({ ok: false, error: { code: "refused-request" } });
      expect(fixed.requests).toHaveLength(1);
      const other = await answerTo([refusal("the messages are strange")]);
      expect(other.requests).toHaveLength(1);
      const limited = await answerTo([refusal("too many tool calls", 429)]);
      expect(limited.requests).toHaveLength(1);
    });

    it("also when many ask at once", async () => {
      const server = await startModelServer();
      server.answer(({ body }) => {
        for (const field of ["stream_options", "tool_choice", "tools"]) {
          if (field in body) return refusal(`unknown field ${field}`);
        }
        return chatEventsReply('{"action":"search"}');
      });
      const model = modelOf(server);
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => model.decide(modelRequest())),
      );
      for (const response of responses) {
        expect(response).toMatchObject({ ok: true, message: { calls: [{ name: "search" }] } });
      }
    });
  });

  it.each(["json_schema", "json_object"] as const)(
    "M-03 with %s, decisions are text for the loop to read",
    async (structured) => {
      const text = '{"action":"search","query":"x"}';
      const { response, requests } = await answerTo([chatEventsReply(text)], { structured });
      expect(response).toMatchObject({ ok: true, message: { text, calls: [] }, finish: "stop" });
      expect(requests[0]?.body).toMatchObject({
        response_format: { type: structured },
        messages: [{ role: "system", content: expect.stringContaining("one JSON object") }, {}],
      });
      expect(requests[0]?.body).not.toHaveProperty("tools");
      const options = { baseUrl: "https://h.example", model: "m", contextTokens: 1, structured };
      expect(openAiCompatible(options).protocol).toBe("json");
    },
  );
});

function chatEventsReply(text = "hello"): Reply {
  return eventReply(chatEvents({ text }));
}
