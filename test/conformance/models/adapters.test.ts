import { createAnthropic } from "@ai-sdk/anthropic";
import { describe, expect, it } from "vitest";
import {
  anthropic,
  fromAiSdk,
  gemini,
  type Model,
  type ModelMessage,
  openAiCompatible,
} from "../../../packages/agent/src/index.ts";
import type { CallFragment, Sampling } from "../../../packages/agent/src/internal/index.ts";
import { chatCompletion } from "../../support/model-server/chat-completions.ts";
import { generateContent } from "../../support/model-server/generate-content.ts";
import { message } from "../../support/model-server/messages.ts";
import { modelRequest } from "../../support/model-server/model-request.ts";
import { type Script, startModelServer } from "../../support/model-server/model-server.ts";
import { type ScriptedAnswer, SOME_USAGE } from "../../support/model-server/scripted-answer.ts";

interface Settings {
  readonly stream?: boolean;
  readonly sampling?: Sampling;
  readonly model?: string;
}

interface Adapter {
  readonly name: string;
  readonly open: (url: string, settings: Settings) => Model;
  readonly answer: (answer: ScriptedAnswer, options?: { size?: number }) => Script;
  /** Each in the words of the service: an image, a failed result with an image, a thought. */
  readonly image: object;
  readonly failed: (text: string) => object;
  readonly thought: object;
  readonly sampled: object;
}

const PNG = { mediaType: "image/png", data: "iVBORw0KGgo=" } as const;
const DATA_URL = { image_url: { url: `data:image/png;base64,${PNG.data}` } };
const SOURCE = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: PNG.data },
};
const SIGNED = { type: "thinking", thinking: "hm 数据", signature: "c2lnbmVk" };

const common = { apiKey: "sk-test", contextTokens: 100_000 };

const adapters: readonly Adapter[] = [
  {
    name: "chat completions",
    open: (url, settings) =>
      openAiCompatible({ ...common, model: "m", baseUrl: `${url}/v1`, ...settings }),
    answer: chatCompletion,
    image: DATA_URL,
    failed: (text) => ({ role: "tool", content: `Error: ${text}` }),
    thought: { reasoning_content: "hm 数据" },
    sampled: { temperature: 0.5, top_p: 0.9, max_tokens: 77, seed: 7, reasoning_effort: "low" },
  },
  {
    name: "Messages",
    open: (url, settings) =>
      anthropic({ ...common, model: "m", baseUrl: `${url}/v1`, ...settings }),
    answer: message,
    image: SOURCE,
    failed: (text) => ({
      type: "tool_result",
      is_error: true,
      content: [{ type: "text", text }, SOURCE],
    }),
    thought: SIGNED,
    sampled: { temperature: 0.5, top_p: 0.9, max_tokens: 77 },
  },
  {
    name: "Gemini",
    open: (url, settings) => gemini({ ...common, model: "m", baseUrl: `${url}/v1`, ...settings }),
    answer: generateContent,
    image: { inlineData: { mimeType: "image/png", data: PNG.data } },
    failed: (text) => ({ functionResponse: { name: "search", response: { error: text } } }),
    thought: { functionCall: { name: "search" }, thoughtSignature: "c2lnbmVk" },
    sampled: {
      generationConfig: {
        temperature: 0.5,
        topP: 0.9,
        maxOutputTokens: 77,
        seed: 7,
        thinkingConfig: { thinkingLevel: "low" },
      },
    },
  },
  {
    name: "a model of the AI SDK",
    open: (url, { model = "m", sampling }) => {
      const provider = createAnthropic({ baseURL: `${url}/v1`, apiKey: "sk-test" });
      const { contextTokens } = common;
      return fromAiSdk(provider(model), { contextTokens, ...(sampling && { sampling }) });
    },
    answer: message,
    image: SOURCE,
    failed: (text) => ({
      type: "tool_result",
      content: [{ type: "text", text: `Error: ${text}` }, SOURCE],
    }),
    thought: SIGNED,
    sampled: { temperature: 0.5, max_tokens: 77 },
  },
];

const CALLS = [
  { id: "call_a", name: "search", input: { query: "数据 😀" } },
  { id: "call_b", name: "search", input: { query: "two" } },
];

/** Whether some part of the value has these fields. */
function has(value: unknown, wanted: object): boolean {
  if (typeof value !== "object" || value === null) return false;
  try {
    expect(value).toMatchObject(wanted);
    return true;
  } catch {
    return Object.values(value).some((part) => has(part, wanted));
  }
}

describe.each(adapters)("$name", (adapter) => {
  async function opened(answer: ScriptedAnswer, settings: Settings = {}) {
    const server = await startModelServer();
    server.answer(adapter.answer(answer, { size: 9 }));
    return { model: adapter.open(server.url, settings), requests: server.requests };
  }

  it.each([true, false])(
    "A-11 gives every call of a turn, and offers tools without forcing them (stream: %s)",
    async (stream) => {
      const { model, requests } = await opened({ text: "I look.", calls: CALLS }, { stream });
      const response = await model.decide(modelRequest());
      const calls = CALLS.map(({ name, input }) => ({ name, input }));
      expect(response).toMatchObject({ ok: true, finish: "calls", message: { calls } });
      expect(response.ok && new Set(response.message.calls.map(({ id }) => id)).size).toBe(2);
      expect(requests[0]?.text).toMatch(
        /"(?:tool_choice|mode|type)":(?:\{"type":)?"(?:auto|AUTO)"/,
      );
      expect(requests[0]?.text).not.toMatch(/parallel|required"[,}]|"any"/i);
    },
  );

  it("A-11 streams text and the arguments of calls, under the names of the actions", async () => {
    const { model } = await opened({ thought: "hm", text: "I look.", calls: CALLS });
    const texts: string[] = [];
    const fragments: CallFragment[] = [];
    await model.decide(modelRequest(), {
      onText: (text) => void texts.push(text),
      onCallText: (fragment) => void fragments.push(fragment),
    });
    expect(texts.join("")).toBe("I look.");
    expect(texts.length).toBeGreaterThan(1);
    for (const [index, { name, input }] of CALLS.entries()) {
      const own = fragments.filter((fragment) => fragment.index === index);
      expect(new Set(own.map((fragment) => fragment.name))).toEqual(new Set([name]));
      expect(JSON.parse(own.map(({ text }) => text).join(""))).toEqual(input);
    }
  });

  it("A-12 sends images of the user and of results, and says which results failed", async () => {
    const { model, requests } = await opened({ text: "ok" });
    expect(model.acceptsImages).toBe(true);
    const asked: ModelMessage[] = [{ role: "user", content: "Look.", images: [PNG] }];
    await model.decide(modelRequest(asked));
    expect(has(requests[0]?.body, adapter.image)).toBe(true);
    await model.decide(
      modelRequest([
        { role: "user", content: "Look." },
        { role: "assistant", content: "", calls: CALLS.slice(0, 1) },
        {
          role: "observation",
          content: "not found",
          callId: "call_a",
          isError: true,
          images: [PNG],
        },
      ]),
    );
    expect(has(requests[1]?.body, adapter.image)).toBe(true);
    expect(has(requests[1]?.body, adapter.failed("not found"))).toBe(true);
  });

  it("A-12 gives reasoning back unchanged, and only its own", async () => {
    const { model, requests } = await opened({ thought: "hm 数据", text: "I look.", calls: CALLS });
    const response = await model.decide(modelRequest());
    if (!response.ok) throw new Error(response.error.message);
    const { text, calls, reasoning = [] } = response.message;
    expect(text).toBe("I look.");
    expect(reasoning.length).toBeGreaterThan(0);
    const kept = JSON.parse(JSON.stringify(reasoning)) as typeof reasoning;
    const said = (given: typeof reasoning): ModelMessage[] => [
      { role: "user", content: "go" },
      { role: "assistant", content: text, calls, reasoning: given },
      ...calls.map(({ id }) => ({ role: "observation" as const, content: "found", callId: id })),
    ];
    await model.decide(modelRequest(said(kept)));
    expect(has(requests[1]?.body, adapter.thought)).toBe(true);
    await model.decide(modelRequest(said(kept.map(({ data }) => ({ provider: "other", data })))));
    expect(has(requests[2]?.body, adapter.thought)).toBe(false);
  });

  it("M-05 sends sampling parameters under the names of the service, and tells them", async () => {
    const isClaude = adapter.answer === message;
    const sampling: Sampling = {
      temperature: 0.5,
      maxOutputTokens: 77,
      ...(adapter.name !== "a model of the AI SDK" && { topP: 0.9 }),
      ...(!isClaude && { seed: 7, reasoningEffort: "low" }),
    };
    const { model, requests } = await opened({ text: "ok" }, { sampling });
    expect(model).toMatchObject({ sampling, maxOutputTokens: 77 });
    await model.decide(modelRequest());
    expect(requests[0]?.body).toMatchObject(adapter.sampled);
  });

  it("M-05 without any, sends none; the limit is that of the model, the request's if that is less", async () => {
    const { model, requests } = await opened({ text: "ok" });
    expect(model).toMatchObject({ maxOutputTokens: 16_384 });
    expect(model).not.toHaveProperty("sampling");
    await model.decide(modelRequest(undefined, { maxOutputTokens: 1_000_000 }));
    await model.decide(modelRequest(undefined, { maxOutputTokens: 5 }));
    expect(requests[0]?.text).toContain(":16384");
    expect(requests[0]?.text).not.toMatch(/temperature|top_?p|seed|effort|thinking/i);
    expect(requests[1]?.text).toMatch(/"max_?(?:output)?_?tokens":5\b/i);
  });

  it.each([
    { temperature: 3 },
    { temperature: Number.NaN },
    { topP: -1 },
    { seed: 0.5 },
    { maxOutputTokens: 0 },
  ])("M-05 refuses %j", (sampling) => {
    expect(() => adapter.open("https://h.example", { sampling })).toThrow(TypeError);
  });

  it("M-04 counts what the service reports", async () => {
    const { model } = await opened({ text: "ok", usage: SOME_USAGE });
    const { usage } = await model.decide(modelRequest());
    expect(usage).toMatchObject({ cacheReadTokens: 5, outputTokens: 7, calls: 1 });
    expect([16, 19]).toContain(usage.inputTokens);
  });
});

describe("M-05 limits of models", () => {
  it.each([
    ["claude-sonnet-4-5", 64_000],
    ["claude-sonnet-4-20250514", 64_000],
    ["claude-opus-4-1-20250805", 32_000],
    ["claude-opus-4-6", 128_000],
    ["claude-3-5-haiku-latest", 8192],
    ["anthropic/claude-haiku-4-5", 64_000],
    ["us.anthropic.claude-sonnet-4-20250514-v1:0", 64_000],
    ["gpt-4.1-mini", 32_768],
    ["gpt-4o", 16_384],
    ["gpt-5-mini", 128_000],
    ["o3", 100_000],
    ["gemini-2.5-pro", 65_536],
    ["qwen3:8b", 16_384],
  ])("%s answers with up to %i tokens", (model, maxOutputTokens) => {
    const options = { model, baseUrl: "https://h.example/v1", contextTokens: 1_000_000 };
    expect(openAiCompatible(options)).toMatchObject({ maxOutputTokens });
  });

  it("an answer takes at most half of a small context, unless somebody says so", () => {
    const options = { model: "m", baseUrl: "https://h.example/v1", contextTokens: 8192 };
    expect(openAiCompatible(options)).toMatchObject({ maxOutputTokens: 4096 });
    const sampling = { maxOutputTokens: 8000 };
    expect(openAiCompatible({ ...options, sampling })).toMatchObject({ maxOutputTokens: 8000 });
  });
});

describe("M-05 reasoning effort", () => {
  const sent = async (open: (url: string) => Model, script: Script, maxOutputTokens = 20_000) => {
    const server = await startModelServer();
    server.answer(script);
    await open(`${server.url}/v1`).decide(modelRequest(undefined, { maxOutputTokens }));
    return server.requests[0]?.body ?? {};
  };
  const claude = (model: string, reasoningEffort: string) => (baseUrl: string) =>
    anthropic({ ...common, model, baseUrl, sampling: { reasoningEffort } });
  const google = (model: string, reasoningEffort: string) => (baseUrl: string) =>
    gemini({ ...common, model, baseUrl, sampling: { reasoningEffort } });
  const hi = { text: "hi" };

  it("is a budget for Claude up to 4.5, and an effort for later ones", async () => {
    expect(await sent(claude("claude-sonnet-4-5", "high"), message(hi))).toMatchObject({
      thinking: { type: "enabled", budget_tokens: 16_384 },
    });
    expect(await sent(claude("claude-sonnet-4-5", "high"), message(hi), 5000)).toMatchObject({
      thinking: { budget_tokens: 5000 - 1024 },
    });
    expect(await sent(claude("claude-sonnet-4-5", "high"), message(hi), 500)).not.toHaveProperty(
      "thinking",
    );
    expect(await sent(claude("claude-opus-4-6", "high"), message(hi))).toMatchObject({
      thinking: { type: "adaptive" },
      output_config: { effort: "high" },
    });
    expect(await sent(claude("claude-opus-4-6", "none"), message(hi))).toMatchObject({
      thinking: { type: "disabled" },
    });
  });

  it("is a budget for Gemini up to 2.5, and a level for later ones", async () => {
    const config = (thinkingConfig: object) => ({ generationConfig: { thinkingConfig } });
    expect(await sent(google("gemini-2.5-pro", "low"), generateContent(hi))).toMatchObject(
      config({ thinkingBudget: 4096 }),
    );
    expect(await sent(google("gemini-3-pro-preview", "high"), generateContent(hi))).toMatchObject(
      config({ thinkingLevel: "high" }),
    );
  });

  it.each<[string, () => Model]>([
    ["seed at Anthropic", () => anthropic({ ...common, model: "m", sampling: { seed: 1 } })],
    [
      "temperature and effort at Anthropic",
      () =>
        anthropic({ ...common, model: "m", sampling: { temperature: 0, reasoningEffort: "low" } }),
    ],
    ["an unknown effort", () => claude("claude-sonnet-4-5", "huge")("https://h.example")],
    [
      "an effort for a model of the AI SDK",
      () =>
        fromAiSdk(createAnthropic({ apiKey: "k" })("m"), {
          contextTokens: 100_000,
          sampling: { reasoningEffort: "low" },
        }),
    ],
  ])("%s is refused when the model is opened", (_, open) => {
    expect(open).toThrow(TypeError);
  });
});
