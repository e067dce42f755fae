import type { LanguageModelV3 } from "@ai-sdk/provider";
import { convertArrayToReadableStream, MockLanguageModelV3 } from "ai/test";
import { describe, expect, it } from "vitest";
import { modelRequest } from "../../../../../test/support/model-server/model-request.ts";
import { fromAiSdk } from "../../index.ts";
import type { AiSdkModel, CallFragment } from "../../internal/index.ts";

const CALL = { id: "c1", name: "search", input: { query: "x" } };
const TOOL_CALL = {
  type: "tool-call" as const,
  toolCallId: "c1",
  toolName: "search",
  input: '{"query":"x"}',
};
const USAGE = {
  inputTokens: { total: 19, noCache: 11, cacheRead: 5, cacheWrite: 3 },
  outputTokens: { total: 7, text: 7, reasoning: undefined },
};
const TOOL_CALLS = { unified: "tool-calls" as const, raw: "tool_use" };

// Checked by the compiler: models of the specification fit without a cast.
export const fits: readonly ((model: LanguageModelV3) => AiSdkModel)[] = [(model) => model];

const END = { type: "finish", finishReason: { unified: "stop", raw: "x" }, usage: {} };

function modelWith(doStream: AiSdkModel["doStream"]): AiSdkModel {
  return { specificationVersion: "v3", provider: "p", modelId: "m", doStream };
}

/** Streams the parts, and keeps how it was called. */
function streaming(parts: readonly object[]) {
  const calls: object[] = [];
  const model = modelWith(async (call) => {
    calls.push(call);
    return { stream: convertArrayToReadableStream([...parts]) };
  });
  return { model, calls };
}

function throwing(thrown: unknown): AiSdkModel {
  return modelWith(() => Promise.reject(thrown));
}

describe("fromAiSdk", () => {
  it("M-01 asks a model and reads its answer", async () => {
    const mock = new MockLanguageModelV3({
      provider: "p",
      modelId: "m",
      doStream: {
        stream: convertArrayToReadableStream([
          { type: "reasoning-start", id: "0" },
          { type: "reasoning-delta", id: "0", delta: "hm" },
          { type: "reasoning-end", id: "0" },
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: "I look." },
          { type: "text-end", id: "1" },
          TOOL_CALL,
          { type: "finish", finishReason: TOOL_CALLS, usage: USAGE },
        ]),
      },
    });
    const model = fromAiSdk(mock, { contextTokens: 8000 });
    const request = modelRequest([
      { role: "user", content: "go" },
      { role: "assistant", content: "", calls: [CALL] },
      { role: "observation", content: "found", callId: "c1" },
    ]);
    expect(model).toMatchObject({ id: "p:m", protocol: "tools", contextTokens: 8000 });
    expect(await model.decide(request)).toMatchObject({
      ok: true,
      message: { text: "I look.", calls: [CALL] },
      finish: "calls",
      usage: {
        inputTokens: 19,
        outputTokens: 7,
        cacheReadTokens: 5,
        cacheWriteTokens: 3,
        calls: 1,
      },
    });
    const result = {
      toolCallId: "c1",
      toolName: "search",
      output: { type: "text", value: "found" },
    };
    expect(mock.doStreamCalls[0]).toMatchObject({
      maxOutputTokens: 500,
      toolChoice: { type: "auto" },
      tools: [{ type: "function", name: "search" }, { name: "final_answer" }],
      prompt: [
        { role: "system", content: "You find things." },
        { role: "user", content: [{ type: "text", text: "go" }] },
        {
          role: "assistant",
          content: [{ type: "tool-call", toolCallId: "c1", input: CALL.input }],
        },
        { role: "tool", content: [{ type: "tool-result", ...result }] },
      ],
    });
  });

  it("M-01 A-11 streams text and arguments", async () => {
    const mock = new MockLanguageModelV3({
      doStream: {
        stream: convertArrayToReadableStream([
          { type: "stream-start", warnings: [] },
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: "I " },
          { type: "text-delta", id: "1", delta: "look." },
          { type: "text-end", id: "1" },
          { type: "tool-input-delta", id: "c0", delta: "of no call" },
          { type: "tool-input-start", id: "c1", toolName: "search" },
          { type: "tool-input-delta", id: "c1", delta: '{"query"' },
          { type: "tool-input-delta", id: "c1", delta: ':"x"}' },
          { type: "tool-input-end", id: "c1" },
          TOOL_CALL,
          { type: "finish", finishReason: TOOL_CALLS, usage: USAGE },
        ]),
      },
    });
    const texts: string[] = [];
    const onText = (text: string) => void texts.push(text);
    const fragments: CallFragment[] = [];
    const onCallText = (fragment: CallFragment) => void fragments.push(fragment);
    const context = { onText, onCallText };
    const response = await fromAiSdk(mock, { contextTokens: 1 }).decide(modelRequest(), context);
    expect(response).toMatchObject({
      ok: true,
      message: { calls: [CALL] },
      usage: { inputTokens: 19 },
    });
    expect(texts).toEqual(["I ", "look."]);
    const call = { index: 0, name: "search" };
    expect(fragments).toEqual([
      { ...call, text: '{"query"' },
      { ...call, text: ':"x"}' },
    ]);
  });

  it.each([
    ["stop", "stop"],
    ["length", "length"],
    ["content-filter", "refused"],
    ["error", "other"],
  ])("M-01 finish reason %s is %s", async (name, finish) => {
    const { model } = streaming([{ ...END, finishReason: { unified: name, raw: "x" } }]);
    expect(await fromAiSdk(model, { contextTokens: 1 }).decide(modelRequest())).toMatchObject({
      ok: true,
      finish,
    });
  });

  it("M-01 asks for JSON where the protocol is JSON", async () => {
    const { model, calls } = streaming([{ type: "text-delta", id: "1", delta: "{}" }, END]);
    await fromAiSdk(model, { contextTokens: 1, protocol: "json" }).decide(modelRequest());
    expect(calls[0]).toMatchObject({
      responseFormat: { type: "json", schema: { type: "object" } },
    });
    expect(calls[0]).not.toHaveProperty("tools");
  });

  it("M-01 leaves out what the provider has done itself, and survives parts of no shape", async () => {
    const own = { ...TOOL_CALL, providerExecuted: true };
    const shapeless = [null, 7, { type: "text-delta" }, { type: "reasoning-delta" }] as object[];
    for (const parts of [[own], [], shapeless]) {
      const { model } = streaming([...parts, END]);
      const response = await fromAiSdk(model, { contextTokens: 1 }).decide(modelRequest());
      expect(response).toMatchObject({ ok: true, message: { text: "", calls: [] } });
    }
  });

  it.each<[string, unknown, object]>([
    [
      "a status",
      Object.assign(new Error("x"), {
        statusCode: 429,
        url: "https://h.example",
        responseHeaders: { "retry-after": "2" },
      }),
      { code: "rate-limited", retryable: true, retryAfterMs: 2000, status: 429 },
    ],
    [
      "too long a request",
      Object.assign(new Error("x"), {
        statusCode: 400,
        responseBody: '{"error":{"message":"prompt is too long"}}',
      }),
      { code: "context-overflow", retryable: false },
    ],
    [
      "no connection",
      new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNRESET" }) }),
      { code: "unreachable", retryable: true },
    ],
    [
      "an answer that is not JSON",
      Object.assign(new Error("bad"), { name: "AI_JSONParseError" }),
      { code: "unreadable-answer" },
    ],
    ["another error", new Error("broken sk-key-1"), { code: "provider-failed" }],
    ["a text", "broken sk-key-1", { code: "provider-failed" }],
    ["nothing", undefined, { code: "provider-failed" }],
    ["what is no text", { toString: 1, message: 2 }, { code: "provider-failed" }],
  ])("M-01 %s that is thrown is a value", async (_, thrown, error) => {
    const model = fromAiSdk(throwing(thrown), { contextTokens: 1, secrets: ["sk-key-1"] });
    const response = await model.decide(modelRequest());
    expect(response).toMatchObject({ ok: false, error, usage: { calls: 1 } });
    expect(JSON.stringify(response)).not.toContain("sk-key-1");
  });

  it("M-01 an error in the stream, a stream that ends early, and the signal", async () => {
    const asked = ({ model }: ReturnType<typeof streaming>) =>
      fromAiSdk(model, { contextTokens: 1 }).decide(modelRequest());
    const failing = streaming([{ type: "error", error: { statusCode: 503 } }]);
    expect(await asked(failing)).toMatchObject({ ok: false, error: { code: "overloaded" } });
    const short = streaming([{ type: "text-delta", delta: "x" }]);
    expect(await asked(short)).toMatchObject({
      ok: false,
      error: { code: "provider-failed", retryable: true },
    });
    const stop = new AbortController();
    const model = modelWith(() => Promise.reject(stop.abort()));
    expect(
      await fromAiSdk(model, { contextTokens: 1 }).decide(modelRequest(), { signal: stop.signal }),
    ).toMatchObject({ ok: false, error: { code: "canceled" } });
  });

  it.each([undefined, null, {}, "text"])("M-01 %j is not an answer", async (result) => {
    const model = fromAiSdk(
      modelWith(() => Promise.resolve(result as never)),
      { contextTokens: 1 },
    );
    expect(await model.decide(modelRequest())).toMatchObject({
      ok: false,
      error: { code: "unreadable-answer" },
      usage: { calls: 1 },
    });
  });

  const PNG = { mediaType: "image/png", data: "AAAA" } as const;
  it("A-12 sends images of the user and of results", async () => {
    const { model, calls } = streaming([END]);
    await fromAiSdk(model, { contextTokens: 8000 }).decide(
      modelRequest([
        { role: "user", content: "go", images: [PNG] },
        { role: "assistant", content: "", calls: [CALL] },
        { role: "observation", content: "found", callId: "c1", images: [PNG] },
      ]),
    );
    const shown = { type: "image-data", ...PNG };
    const output = { type: "content", value: [{ type: "text", text: "found" }, shown] };
    expect(calls[0]).toMatchObject({
      prompt: [
        {},
        { content: [{ type: "text" }, { type: "file", ...PNG }] },
        {},
        { role: "tool", content: [{ output }] },
      ],
    });
  });

  it("A-12 what a provider puts beside a part goes back beside it", async () => {
    const beside = (value: string) => ({ google: { thoughtSignature: value } });
    const { model, calls } = streaming([
      { type: "reasoning-delta", id: "0", delta: "hm", providerMetadata: beside("r") },
      { type: "text-delta", id: "1", delta: "I look." },
      { type: "text-end", id: "1", providerMetadata: beside("t") },
      { ...TOOL_CALL, providerMetadata: beside("c") },
      END,
    ]);
    const adapter = fromAiSdk(model, { contextTokens: 8000 });
    const response = await adapter.decide(modelRequest());
    if (!response.ok) throw new Error(response.error.message);
    const { text, ...rest } = response.message;
    await adapter.decide(modelRequest([{ role: "assistant", content: text, ...rest }]));
    expect(calls[1]).toMatchObject({
      prompt: [
        {},
        {},
        {
          content: [
            { type: "reasoning", text: "hm", providerOptions: beside("r") },
            { type: "text", providerOptions: beside("t") },
            { type: "tool-call", providerOptions: beside("c") },
          ],
        },
        {},
      ],
    });
  });

  it("M-05 passes sampling parameters and options of the provider on", async () => {
    const { model, calls } = streaming([END]);
    const sampling = { temperature: 0, topP: 0.5, seed: 7 };
    const providerOptions = { p: { cache: true } };
    const adapter = fromAiSdk(model, { contextTokens: 8000, sampling, providerOptions });
    await adapter.decide(modelRequest());
    expect(calls[0]).toMatchObject({ ...sampling, providerOptions });
  });

  it.each(["v2", "v4"])("M-01 refuses version %s of the specification", (specificationVersion) => {
    const model = { ...throwing(undefined), specificationVersion } as unknown as AiSdkModel;
    expect(() => fromAiSdk(model, { contextTokens: 1 })).toThrow(TypeError);
  });
});
