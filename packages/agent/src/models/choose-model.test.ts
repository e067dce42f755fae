import { describe, expect, it } from "vitest";
import { chooseModel, withCost, withRetry } from "../index.ts";
import {
  type ChooseModelOptions,
  type PricedModel,
  type Prices,
  PROVIDERS,
} from "../internal/index.ts";
import { modelRequest } from "../../../../test/support/model-server/model-request.ts";

interface Sent {
  readonly url: string;
  readonly headers: Headers;
}

/** Fails but for the URLs in `answers`. */
function fakeFetch(answers: Readonly<Record<string, unknown>> = {}) {
  const sent: Sent[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = input instanceof Request ? input.url : String(input);
    sent.push({ url, headers: new Headers(init?.headers) });
    if (!Object.hasOwn(answers, url)) throw new TypeError("fetch failed");
    return Response.json(answers[url]);
  };
  return { fetch, sent };
}

const KNOWN = [...Object.keys(PROVIDERS), "offline", "mock"];
const TAGS = "http://127.0.0.1:11434/api/tags";
const SONNET = "anthropic:claude-sonnet-4-5";

async function choose(options: Partial<ChooseModelOptions>, { fetch } = fakeFetch()) {
  return chooseModel({ env: {}, fetch, ...options });
}

/** Where a request of the chosen model goes, and with which key. */
async function target(options: Partial<ChooseModelOptions>) {
  const { fetch, sent } = fakeFetch();
  const chosen = await choose(options, { fetch, sent });
  if (!chosen.ok || chosen.offline) throw new Error(JSON.stringify(chosen));
  await chosen.model.decide(modelRequest());
  const { url, headers } = sent.at(-1) as Sent;
  return {
    id: chosen.model.id,
    url,
    key: headers.get("authorization") ?? headers.get("x-api-key") ?? headers.get("x-goog-api-key"),
  };
}

describe("chooseModel", () => {
  it("M-01 takes what is there: Anthropic, OpenAI, Gemini, a local Ollama, else the embedded model", async () => {
    const env = { ANTHROPIC_API_KEY: "a-key", OPENAI_API_KEY: "o-key" };
    expect(await choose({ env })).toMatchObject({ model: { id: SONNET } });
    expect(await choose({ env: { ...env, ANTHROPIC_API_KEY: " " } })).toMatchObject({
      model: { id: "openai:gpt-4.1" },
    });
    expect(await choose({ env: { GEMINI_API_KEY: "g-key", GOOGLE_API_KEY: "x" } })).toMatchObject({
      model: { id: "gemini:gemini-2.5-flash", maxOutputTokens: 65_536 },
    });
    const models = [{ name: "nomic-embed-text:latest" }, { name: "qwen3:8b" }];
    expect(await choose({}, fakeFetch({ [TAGS]: { models } }))).toMatchObject({
      model: { id: "ollama:qwen3:8b" },
    });
    expect(await choose({})).toEqual({ ok: true, offline: true, isAsked: false });
  });

  it.each([{ models: [] }, { models: "x" }, [], "<html>", null])(
    "M-01 ignores an Ollama that answers %j",
    async (answer) => {
      expect(await choose({}, fakeFetch({ [TAGS]: answer }))).toMatchObject({ offline: true });
    },
  );

  it("M-01 ignores an Ollama that does not answer soon", async () => {
    const fetch = (_: unknown, init?: RequestInit) =>
      new Promise<Response>((_, reject) => {
        init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
      });
    expect(await chooseModel({ env: {}, fetch })).toMatchObject({ offline: true });
  });

  it("M-01 what was asked for comes first, then the configuration", async () => {
    const env = { ANTHROPIC_API_KEY: "a-key", OPENAI_API_KEY: "o-key" };
    const configuration = { provider: "openai", params: { model: "gpt-5" } };
    expect(await choose({ env, configuration })).toMatchObject({
      model: { id: "openai:gpt-5" },
    });
    expect(await choose({ env, configuration, model: "openai:gpt-4o" })).toMatchObject({
      model: { id: "openai:gpt-4o" },
    });
    expect(await choose({ env, configuration, model: "anthropic" })).toMatchObject({
      model: { id: SONNET },
    });
    expect(await choose({ model: "ollama:qwen3:8b" })).toMatchObject({
      model: { id: "ollama:qwen3:8b", contextTokens: 8192 },
    });
  });

  it.each(["offline", "mock", "mock:file.json"])("M-02 %s is the embedded model", async (model) => {
    expect(await choose({ model })).toEqual({ ok: true, offline: true, isAsked: true });
  });

  it.each([
    ["antropic:x", ["anthropic"]],
    ["olama", ["ollama"]],
    ["constructor", KNOWN],
    ["", KNOWN],
  ])("M-01 the unknown provider of %j has candidates", async (model, candidates) => {
    expect(await choose({ model })).toMatchObject({
      ok: false,
      code: "unknown-provider",
      candidates,
    });
  });

  it("M-01 says what is missing", async () => {
    expect(await choose({ model: "anthropic" })).toMatchObject({
      code: "model-key-missing",
      hint: expect.stringContaining("ANTHROPIC_API_KEY"),
    });
    expect(await choose({ model: "ollama" })).toMatchObject({ code: "model-name-missing" });
    expect(await choose({ model: "openai-compatible:m" })).toMatchObject({
      code: "invalid-base-url",
    });
  });

  it("P-04 sends each key only where it belongs", async () => {
    const env = { ANTHROPIC_API_KEY: "a-key", OPENAI_API_KEY: "o-key", OTHER: "x-key" };
    expect(await target({ env })).toMatchObject({
      url: "https://api.anthropic.com/v1/messages",
      key: "a-key",
    });
    expect(await target({ env, model: "openai:m" })).toMatchObject({
      url: "https://api.openai.com/v1/chat/completions",
      key: "Bearer o-key",
    });
    const google = { GOOGLE_API_KEY: "google-key" };
    expect(await target({ env: google, model: "gemini:m" })).toMatchObject({
      url: "https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse",
      key: "google-key",
    });
    expect(await choose({ env: google })).toMatchObject({ offline: true });
    const both = { ...google, GEMINI_API_KEY: "gemini-key" };
    expect(await target({ env: both, model: "gemini" })).toMatchObject({ key: "gemini-key" });
    expect(await target({ env, model: "ollama:m" })).toMatchObject({ key: null });
    const baseUrl = "https://elsewhere.example/v1";
    const elsewhere = (params: Record<string, unknown>) =>
      target({
        env,
        configuration: { provider: "openai", params: { baseUrl, model: "m", ...params } },
      });
    expect(await elsewhere({})).toMatchObject({ id: "openai:m", key: null });
    expect(await elsewhere({ keyVariable: "OTHER" })).toMatchObject({
      url: `${baseUrl}/chat/completions`,
      key: "Bearer x-key",
    });
    const ownUrl = { ...env, OPENAI_BASE_URL: baseUrl };
    expect(await target({ env: ownUrl, model: "openai:m" })).toMatchObject({
      id: "openai:m",
      url: `${baseUrl}/chat/completions`,
      key: "Bearer o-key",
    });
  });

  it.each([
    [{ OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://elsewhere.example/v1" }, undefined],
    [{ OPENROUTER_API_KEY: "k" }, { provider: "openrouter", params: { model: "m" } }],
    [
      { OTHER: "k" },
      {
        provider: "anthropic",
        params: { baseUrl: "https://elsewhere.example/v1", keyVariable: "OTHER" },
      },
    ],
    [
      {},
      {
        provider: "openai-compatible",
        params: { model: "m", baseUrl: "https://elsewhere.example/v1" },
      },
    ],
  ])("P-02 the id of a model opens the same one again: %j %j", async (env, configuration) => {
    const given = { env, ...(configuration && { configuration }) };
    const first = await target(given);
    expect(await target({ ...given, model: first.id })).toEqual(first);
  });

  it("A-04 list prices hold at a provider's own address, others where they are given", async () => {
    const env = { OPENAI_API_KEY: "k" };
    const priced = async (more: object, prices: Prices = []) => {
      const chosen = await choose({ env: { ...env, ...more }, model: "openai:gpt-4.1" });
      if (!chosen.ok || chosen.offline) throw new Error(JSON.stringify(chosen));
      return withRetry(withCost(chosen.model, { prices })) as PricedModel;
    };
    const elsewhere = { OPENAI_BASE_URL: "https://elsewhere.example/v1" };
    expect(await priced({})).toMatchObject({ isPriced: true });
    expect(await priced(elsewhere)).toMatchObject({ isPriced: false });
    const own: Prices = [["openai:*", { input: 1, output: 2 }]];
    expect(await priced(elsewhere, own)).toMatchObject({ isPriced: true });
  });

  it("P-04 takes a key from a command without a shell, and only from there", async () => {
    const commands: (readonly string[])[] = [];
    const keychain = async (command: readonly string[]) => {
      commands.push(command);
      return "k-key\n";
    };
    const params = { keyCommand: ["pass", "show", "anthropic; rm -rf /"] };
    const configuration = { provider: "anthropic", params };
    expect(await target({ configuration, keychain })).toMatchObject({ key: "k-key" });
    expect(commands).toEqual([params.keyCommand]);
    for (const broken of [undefined, async () => undefined, () => Promise.reject(new Error("x"))]) {
      const given = broken === undefined ? {} : { keychain: broken };
      const env = { ANTHROPIC_API_KEY: "a-key" };
      expect(await choose({ configuration, env, ...given })).toMatchObject({
        code: "model-key-missing",
        message: expect.stringContaining("pass"),
      });
    }
    expect(await choose({ model: "openai", configuration, keychain })).toMatchObject({
      code: "model-key-missing",
    });
  });

  it.each([
    { apiKey: "sk-secret" },
    { keyCommand: "pass sk-secret" },
    { keyVariable: "sk-secret" },
    { baseUrl: 7 },
    { baseUrl: "sk-secret" },
    { baseUrl: "http://plain.example/" },
    { contextTokens: -1 },
    { hello: true },
  ])("P-04 refuses params %j and shows no value that may be a key", async (params) => {
    const env = { ANTHROPIC_API_KEY: "a-key" };
    const result = await choose({ env, configuration: { provider: "anthropic", params } });
    expect(result).toMatchObject({ ok: false, hint: expect.any(String) });
    expect(JSON.stringify(result)).not.toContain("sk-secret");
  });

  it("M-05 takes sampling parameters from the configuration and from what was given", async () => {
    const env = { OPENAI_API_KEY: "k" };
    const params = { temperature: 1, maxOutputTokens: 900, reasoningEffort: "low" };
    const configuration = { provider: "openai", params };
    const given = ["temperature=0", "temperature=0.2", "seed=7", "reasoningEffort=1"];
    expect(await choose({ env, configuration, params: given })).toMatchObject({
      model: {
        maxOutputTokens: 900,
        sampling: { temperature: 0.2, seed: 7, maxOutputTokens: 900, reasoningEffort: "1" },
      },
    });
    expect(await choose({ model: "ollama:m", configuration })).not.toHaveProperty("model.sampling");
  });

  it.each([
    [["tmperature=1"], "Did you mean temperature?"],
    [["baseUrl=https://h.example"], "Known: temperature"],
    [["=1"], "Example: temperature=0.2"],
    [["temperature=hot"], "Known: model, baseUrl"],
  ])("M-05 says what is wrong with %j", async (params, hint) => {
    const env = { OPENAI_API_KEY: "k" };
    expect(await choose({ env, params })).toMatchObject({
      code: "invalid-model-params",
      hint: expect.stringContaining(hint),
    });
  });

  it("M-05 what a provider does not have is said before it is asked", async () => {
    const env = { ANTHROPIC_API_KEY: "k" };
    expect(await choose({ env, params: ["seed=1"] })).toMatchObject({
      code: "invalid-model-params",
      message: expect.stringContaining("seed"),
    });
    expect(await choose({ params: ["seed=1"] })).toMatchObject({ code: "invalid-model-params" });
  });
});
