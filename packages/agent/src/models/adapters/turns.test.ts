import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modelRequest } from "../../../../../test/support/model-server/model-request.ts";
import { numRuns } from "../../../../../test/support/suite.ts";
import { anthropic, gemini, type Model, type ModelMessage, openAiCompatible } from "../../index.ts";
import { wireNames } from "../index.ts";

const id = fc.constantFrom("a", "b", "a!", "", "a_2", "x".repeat(50));
const text = fc.constantFrom("", " ", "hello", "数据 \uD83D");
const call = fc.record({
  id,
  name: fc.constantFrom("search", "no such\ntool!", "", "n".repeat(99)),
  input: fc.oneof(fc.constant({ query: "x" }), fc.string(), fc.constant(null), fc.constant([1])),
});
const images = fc.array(
  fc.record({ mediaType: fc.constant("image/png" as const), data: fc.constant("AAAA") }),
  { maxLength: 2 },
);
const message: fc.Arbitrary<ModelMessage> = fc.oneof(
  fc.record(
    { role: fc.constant("user" as const), content: text, images },
    { requiredKeys: ["role", "content"] },
  ),
  fc.record(
    {
      role: fc.constant("assistant" as const),
      content: text,
      calls: fc.array(call, { maxLength: 3 }),
    },
    { requiredKeys: ["role", "content"] },
  ),
  fc.record(
    {
      role: fc.constant("observation" as const),
      content: text,
      callId: id,
      isError: fc.boolean(),
      images,
    },
    { requiredKeys: ["role", "content"] },
  ),
);
const messages = fc.array(message, { maxLength: 12 });

type Fetch = typeof globalThis.fetch;
const common = { model: "m", baseUrl: "https://h.example/v1", contextTokens: 8000 };
const chat = (fetch: Fetch) => openAiCompatible({ ...common, fetch });
const written = (fetch: Fetch) =>
  openAiCompatible({ ...common, fetch, structured: "json_object", acceptsImages: false });
const claude = (fetch: Fetch) => anthropic({ ...common, fetch });

/** What the adapter sends for a conversation. */
async function sentFor(given: readonly ModelMessage[], make: (fetch: Fetch) => Model) {
  let body: Record<string, unknown> = {};
  const model = make(async (_, init) => {
    body = JSON.parse(init?.body as string) as Record<string, unknown>;
    return new Response("that was all", { status: 400 });
  });
  await model.decide(modelRequest(given));
  return body;
}

interface ChatMessage {
  role: string;
  content: string | { text?: string }[];
  tool_call_id?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
}

interface Block {
  type: string;
  id?: string;
  name?: string;
  text?: string;
  tool_use_id?: string;
  input?: unknown;
}

function textIn({ content }: ChatMessage): string {
  return typeof content === "string" ? content : content.map((part) => part.text ?? "").join("");
}

async function chatMessages(given: readonly ModelMessage[], make = chat) {
  return ((await sentFor(given, make))["messages"] as ChatMessage[]).slice(1);
}

const search = (id: string) => ({ id, name: "search", input: { query: "x" } });

describe("conversations", () => {
  it("M-03 an observation is the result of its call", async () => {
    const sent = await chatMessages([
      { role: "user", content: "go" },
      { role: "assistant", content: "", calls: [search("1")] },
      { role: "observation", content: "found", callId: "1" },
    ]);
    expect(sent).toMatchObject([
      { role: "user", content: "go" },
      { role: "assistant", tool_calls: [{ id: "1", function: { name: "search" } }] },
      { role: "tool", tool_call_id: "1", content: "found" },
    ]);
  });

  it("M-03 a call without observation has a result that says so; a second observation becomes text", async () => {
    const sent = await chatMessages([
      { role: "user", content: "go" },
      { role: "assistant", content: "", calls: [search("1"), search("2")] },
      { role: "observation", content: "first", callId: "2" },
      { role: "observation", content: "second", callId: "2" },
      { role: "observation", content: "of nothing", callId: "9", isError: true },
    ]);
    expect(sent.slice(2)).toEqual([
      { role: "tool", tool_call_id: "1", content: expect.stringContaining("not carried out") },
      { role: "tool", tool_call_id: "2", content: "first" },
      {
        role: "user",
        content:
          "<tool_result>\nsecond\n</tool_result>\n\n<tool_result>\nError: of nothing\n</tool_result>",
      },
    ]);
  });

  it("M-03 an id that is used again belongs to the later call", async () => {
    const again: ModelMessage[] = ["one", "two"].flatMap((content) => [
      { role: "assistant", content: "", calls: [search("call_0")] },
      { role: "observation", content, callId: "call_0" },
    ]);
    const sent = await chatMessages([{ role: "user", content: "go" }, ...again]);
    expect(sent.filter(({ role }) => role === "tool")).toMatchObject([
      { tool_call_id: "call_0", content: "one" },
      { tool_call_id: "call_0_2", content: "two" },
    ]);
  });

  it("M-03 chat completions: each call has exactly one result, right behind it", async () => {
    await fc.assert(
      fc.asyncProperty(messages, async (given) => {
        const sent = await chatMessages(given);
        const ids: string[] = [];
        let due: (string | undefined)[] = [];
        for (const message of sent) {
          const { role, tool_calls = [], tool_call_id } = message;
          // A result while one is due, anything else only when none is.
          expect(tool_call_id).toBe(due.shift());
          expect(role === "tool").toBe(tool_call_id !== undefined);
          expect(role === "assistant" || textIn(message).trim() !== "").toBe(true);
          if (tool_calls.length > 0) due = tool_calls.map((one) => one.id);
          ids.push(...tool_calls.map((one) => one.id));
          for (const { function: called } of tool_calls) {
            expect(called.name).toMatch(/^[\w-]{1,64}$/);
            expect(JSON.parse(called.arguments)).toBeTypeOf("object");
          }
        }
        expect(due).toEqual([]);
        expect(new Set(ids).size).toBe(ids.length);
        const roles = sent.map(({ role }) => role);
        expect(roles[0]).toBe("user");
        expect(roles.at(-1)).not.toBe("assistant");
        expect(roles.some((role, at) => role === "user" && roles[at + 1] === "user")).toBe(false);
      }),
      { numRuns: numRuns(300) },
    );
  });

  it("M-03 Messages: roles alternate, results answer exactly the calls before, no text is empty", async () => {
    await fc.assert(
      fc.asyncProperty(messages, async (given) => {
        const body = await sentFor(given, claude);
        const sent = body["messages"] as { role: string; content: Block[] }[];
        const ids: string[] = [];
        let due: (string | undefined)[] = [];
        for (const [index, { role, content }] of sent.entries()) {
          expect(role).toBe(index % 2 === 0 ? "user" : "assistant");
          expect(content.length).toBeGreaterThan(0);
          const results = content.filter(({ type }) => type === "tool_result");
          expect(results.map((block) => block.tool_use_id)).toEqual(due);
          expect(content.slice(0, results.length)).toEqual(results);
          due = content.filter(({ type }) => type === "tool_use").map((block) => block.id);
          ids.push(...due.map((one) => one ?? ""));
          const texts = content.filter(({ type }) => type === "text").map((block) => block.text);
          expect(texts.filter((one) => one?.trim() === "")).toEqual([]);
          for (const block of content.filter(({ type }) => type === "tool_use")) {
            expect(block.id).toMatch(/^[\w-]+$/);
            expect(block.name).toMatch(/^[\w-]{1,64}$/);
            expect(Object.prototype.toString.call(block.input)).toBe("[object Object]");
          }
        }
        expect(sent.at(-1)?.role).toBe("user");
        expect(new Set(ids).size).toBe(ids.length);
        expect(JSON.stringify(body).match(/cache_control/g)?.length).toBeLessThanOrEqual(4);
      }),
      { numRuns: numRuns(300) },
    );
  });

  it("M-03 Gemini: roles alternate, and as many results follow as there were calls", async () => {
    await fc.assert(
      fc.asyncProperty(messages, async (given) => {
        const body = await sentFor(given, (fetch) => gemini({ ...common, fetch }));
        const sent = body["contents"] as { role: string; parts: Record<string, unknown>[] }[];
        let due: unknown[] = [];
        for (const [index, { role, parts }] of sent.entries()) {
          expect(role).toBe(index % 2 === 0 ? "user" : "model");
          expect(parts.length).toBeGreaterThan(0);
          const named = (kind: string) =>
            parts.flatMap((part) => (kind in part ? [(part[kind] as { name: string }).name] : []));
          expect(named("functionResponse")).toEqual(due);
          due = named("functionCall");
        }
        expect(sent.at(-1)?.role).toBe("user");
      }),
      { numRuns: numRuns(200) },
    );
  });

  it("M-03 in text alone roles alternate from user to user, and nothing is lost", async () => {
    await fc.assert(
      fc.asyncProperty(messages, async (given) => {
        const plain = await chatMessages(given, written);
        for (const [index, turn] of plain.entries()) {
          expect(turn.role).toBe(index % 2 === 0 ? "user" : "assistant");
          expect(textIn(turn).trim()).not.toBe("");
        }
        expect(plain.length % 2).toBe(1);
        const all = plain.map(textIn).join("\n");
        for (const { content } of given) {
          expect(all).toContain(content.replace("\uD83D", "").trim());
        }
      }),
      { numRuns: numRuns(300) },
    );
  });
});

const named = (names: readonly string[]) =>
  names.map((name) => ({ name, description: "", inputSchema: { type: "object" } }));

it("M-03 names that every service takes stay, and the request is not copied", () => {
  const request = modelRequest();
  expect(wireNames(request).wired).toBe(request);
});

it("M-03 a name with a dot is sent without it, also in earlier calls, and comes back with it", () => {
  const calls = [{ id: "1", name: "files.read", input: {} }];
  const request = modelRequest([{ role: "assistant", content: "", calls }], {
    actions: named(["files.read", "files_read"]),
  });
  const { wired, restore } = wireNames(request);
  expect(wired.actions.map(({ name }) => name)).toEqual(["files_read_2", "files_read"]);
  expect(wired.messages).toMatchObject([{ calls: [{ name: "files_read_2" }] }]);
  expect(restore({ id: "2", name: "files_read_2", input: {} }).name).toBe("files.read");
  expect(restore({ id: "2", name: "files_read", input: {} }).name).toBe("files_read");
  expect(restore({ id: "2", name: "made_up", input: {} }).name).toBe("made_up");
});

it("M-03 whatever the names, they are valid, different, and come back", () => {
  const name = fc.oneof(
    fc.string({ maxLength: 5 }),
    fc.constantFrom(
      "a.b",
      "a/b",
      "a_b",
      "a_b_2",
      "数据",
      "x".repeat(64),
      "x".repeat(80),
      "__proto__",
    ),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 12 }), (names) => {
      const { wired, restore } = wireNames(modelRequest([], { actions: named(names) }));
      const wires = wired.actions.map((action) => action.name);
      for (const wire of wires) expect(wire).toMatch(/^[\w-]{1,64}$/);
      expect(new Set(wires).size).toBe(names.length);
      expect(wires.map((wire) => restore({ id: "", name: wire, input: {} }).name)).toEqual(names);
    }),
  );
});
