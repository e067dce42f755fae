import { describe, expect, it } from "vitest";
import type { ModelMessage, ModelRequest } from "../index.ts";
import { requestDigest } from "./index.ts";

const MESSAGES: readonly ModelMessage[] = [
  { role: "user", content: "a" },
  { role: "assistant", content: "b" },
];
const digest = (more: Partial<ModelRequest> = {}) =>
  requestDigest({
    system: "s",
    messages: MESSAGES,
    actions: [],
    maxOutputTokens: 1,
    view: {} as ModelRequest["view"],
    ...more,
  });

describe("requestDigest", () => {
  it("A-05 is the same for the same content, whichever objects hold it", () => {
    expect(digest({ messages: structuredClone(MESSAGES) })).toBe(digest());
    expect(digest()).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("A-05 is another one when anything that is sent is", () => {
    const [first, second] = MESSAGES;
    const others: Partial<ModelRequest>[] = [
      { system: "t" },
      { messages: [...MESSAGES, { role: "user", content: "c" }] },
      { messages: second && first ? [second, first] : [] },
      { messages: [{ role: "user", content: "ab" }] },
      { actions: [{ name: "x", description: "", inputSchema: {} }] },
    ];
    expect(new Set([digest(), ...others.map(digest)]).size).toBe(others.length + 1);
  });
});
