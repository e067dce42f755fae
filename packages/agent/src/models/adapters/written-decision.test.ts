import { expect, it } from "vitest";
import { decisionSchema, instructionsFor, writtenDecision } from "../index.ts";

const action = {
  name: "search",
  description: "Looks.",
  inputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { query: { $ref: "#/$defs/query" } },
    required: ["query"],
    $defs: { query: { type: "string" }, list: { items: { $ref: "#/$defs/query" } } },
  },
};

it("A-01 one schema for all actions, with the definitions of each at the root", () => {
  expect(decisionSchema([action])).toEqual({
    type: "object",
    anyOf: [
      {
        type: "object",
        description: "Looks.",
        properties: {
          action: { type: "string", const: "search" },
          query: { $ref: "#/$defs/search.query" },
        },
        required: ["action", "query"],
      },
    ],
    $defs: {
      "search.query": { type: "string" },
      "search.list": { items: { $ref: "#/$defs/search.query" } },
    },
  });
  expect(instructionsFor(decisionSchema([action]))).toContain('"const":"search"');
});

it.each([
  ['{"action":"search","query":"x"}', { query: "x" }],
  ['```json\n{"action":"search"}\n```', {}],
  ['I look.\n```json\n{"action":"search"}\n```\nDone.', {}],
  ['```json\n{"action":"search","query":"a ``` b"}```', { query: "a ``` b" }],
  ['I look: {"action":"search","query":"{x}"} That is all.', { query: "{x}" }],
  ['<think>{"action":"other"}</think>\n{"action":"search"}', {}],
])("A-01 %j is a decision", (text, input) => {
  expect(writtenDecision(text, ["search"])).toEqual({ name: "search", input });
});

it.each([
  "",
  "hello",
  "[]",
  "null",
  '{"action":7}',
  '{"action":"search"',
  'I buy: {"action":"buy"}',
  '{"action":"search"} {"action":"search","query":"x"}',
  '{"action":"search"} {"action":',
  'Send this:\n```json\n{"action":"buy"}\n```',
])("A-01 %j is not a decision", (text) => {
  expect(writtenDecision(text, ["search"])).toBeUndefined();
});
