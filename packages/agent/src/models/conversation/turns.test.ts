import { stripHidden } from "@skillwright/core/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { modelRequest } from "../../../../../test/support/model-server/model-request.ts";
import { numRuns } from "../../../../../test/support/suite.ts";
import { requestBody as anthropicBody } from "../anthropic/request-body.ts";
import type { ModelMessage } from "../model.ts";
import { requestBody as chatBody } from "../openai-compatible/request-body.ts";
import { pairCalls, plainTurns, wireNames } from "./turns.ts";

const id = fc.constantFrom("a", "b", "a!", "", "a_2", "x".repeat(50));
const text = fc.constantFrom("", " ", "hello", "数据 \uD83D");
const call = fc.record({
  id,
  name: fc.constantFrom("search", "no such\ntool!", "", "n".repeat(99)),
  input: fc.oneof(fc.constant({ query: "x" }), fc.string(), fc.constant(null), fc.constant([1])),
});
const message: fc.Arbitrary<ModelMessage> = fc.oneof(
  fc.record({ role: fc.constant("user" as const), content: text }),
  fc.record(
    {
      role: fc.constant("assistant" as const),
      content: text,
      calls: fc.array(call, { maxLength: 3 }),
    },
    { requiredKeys: ["role", "content"] },
  ),
  fc.record(
    { role: fc.constant("observation" as const), content: text, callId: id },
    { requiredKeys: ["role", "content"] },
  ),
);
const messages = fc.array(message, { maxLength: 12 });

const features = {
  decisions: "tools",
  toolChoice: true,
  parallelToolCalls: true,
  streamOptions: true,
  tokenLimit: "max_tokens",
} as const;
const common = { model: "m", maxOutputTokens: 10, stream: false };

interface ChatMessage {
  role: string;
  content: string;
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

describe("pairCalls", () => {
  it("M-03 pairs an observation with its call", () => {
    const turns = pairCalls([
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: "",
        calls: [{ id: "1", name: "search", input: { query: "x" } }],
      },
      { role: "observation", content: "found", callId: "1" },
    ]);
    const calls = [{ id: "1", name: "search", input: { query: "x" }, result: "found" }];
    expect(turns).toEqual([
      { role: "user", content: "go" },
      { role: "assistant", content: "", calls },
    ]);
  });

  it("M-03 a call without observation has a result that says so; a second observation is told", () => {
    const turns = pairCalls([
      { role: "user", content: "go" },
      {
        role: "assistant",
        content: "",
        calls: [
          { id: "1", name: "search", input: {} },
          { id: "2", name: "search", input: {} },
        ],
      },
      { role: "observation", content: "first", callId: "2" },
      { role: "observation", content: "second", callId: "2" },
      { role: "observation", content: "of nothing", callId: "9" },
    ]);
    expect(turns[1]).toMatchObject({
      calls: [{ result: expect.stringContaining("not carried out") }, { result: "first" }],
    });
    expect(turns[2]).toEqual({
      role: "user",
      content: "<tool_result>\nsecond\n</tool_result>\n\n<tool_result>\nof nothing\n</tool_result>",
    });
  });

  it("M-03 an id that is used again belongs to the later call", () => {
    const again: ModelMessage[] = ["one", "two"].flatMap((content) => [
      { role: "assistant", content: "", calls: [{ id: "call_0", name: "search", input: {} }] },
      { role: "observation", content, callId: "call_0" },
    ]);
    const turns = pairCalls([{ role: "user", content: "go" }, ...again]);
    expect(turns.slice(1)).toMatchObject([
      { calls: [{ id: "call_0", result: "one" }] },
      { calls: [{ id: "call_0_2", result: "two" }] },
    ]);
  });

  it("M-03 chat completions: each call has exactly one result, right behind it", () => {
    fc.assert(
      fc.property(messages, (given) => {
        const options = { ...common, features };
        const body = chatBody(modelRequest(given), options);
        const sent = (body["messages"] as ChatMessage[]).slice(1);
        const ids: string[] = [];
        let due: (string | undefined)[] = [];
        for (const { role, content, tool_calls = [], tool_call_id } of sent) {
          // A result while one is due, anything else only when none is.
          expect(tool_call_id).toBe(due.shift());
          expect(role === "tool").toBe(tool_call_id !== undefined);
          expect(role === "assistant" || content.trim() !== "").toBe(true);
          if (tool_calls.length > 0) due = tool_calls.map((one) => one.id);
          ids.push(...tool_calls.map((one) => one.id));
          for (const { function: called } of tool_calls) {
            expect(called.name).toMatch(/^[\w-]{1,64}$/);
            expect(JSON.parse(called.arguments)).toBeTypeOf("object");
          }
        }
        expect(due).toEqual([]);
        expect(new Set(ids).size).toBe(ids.length);
        expect(sent[0]?.role).toBe("user");
        expect(sent.at(-1)?.role).not.toBe("assistant");
      }),
      { numRuns: numRuns(300) },
    );
  });

  it("M-03 Messages: roles alternate, results answer exactly the calls before, no text is empty", () => {
    fc.assert(
      fc.property(messages, (given) => {
        const body = anthropicBody(modelRequest(given), { ...common, forcesTools: true });
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
      }),
      { numRuns: numRuns(300) },
    );
  });

  it("M-03 in text alone roles alternate from user to user, and nothing is lost", () => {
    fc.assert(
      fc.property(messages, (given) => {
        const plain = plainTurns(pairCalls(given));
        for (const [index, turn] of plain.entries()) {
          expect(turn.role).toBe(index % 2 === 0 ? "user" : "assistant");
          expect(turn.content.trim()).not.toBe("");
        }
        expect(plain.length % 2).toBe(1);
        const all = plain.map(({ content }) => content).join("\n");
        for (const { content } of given) expect(all).toContain(stripHidden(content).trim());
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
